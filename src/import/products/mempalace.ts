import { posix } from 'node:path';
import { streamLines } from '../../store/jsonl/lines/read-jsonl-lines.js';
import { type ImportFormat, type ImportItem, importOrigin } from '../import-format.js';
import { filesOf, headsOf, type ImportInput, readBytes, sourceName } from '../import-input.js';

const kind = 'mempalace';
const room = /\.md$/i;

/** A folder that `export_palace` wrote: a folder for each wing, a note for each room, a section for each drawer. */
export const mempalace: ImportFormat = {
  kind,
  title: 'an export of MemPalace: a folder of wings and rooms',
  losses: ['ids of drawers and who added them', 'the knowledge graph, which an export does not contain'],
  recognise: (sample) =>
    headsOf(sample, room).some((head) =>
      /^# (Palace Export — |[^\n]{1,200} \/ [^\n]{1,200}\n\n## [^\n]{1,200}\n\n> )/.test(head),
    )
      ? 0.9
      : 0,
  async *read(input) {
    for (const file of filesOf(input, room)) if (file !== 'index.md') yield* readRoom(input, file);
  },
};

async function* readRoom(input: ImportInput, file: string | undefined): AsyncGenerator<ImportItem> {
  const inFile = file === undefined ? {} : { file };
  let name = '';
  let drawer: { line: number; lines: string[]; fields: Map<string, string> } | undefined;
  const finish = function* (): Generator<ImportItem> {
    const done = drawer;
    drawer = undefined;
    if (done === undefined || done.lines.length === 0) return;
    const from = done.fields.get('Source') ?? 'unknown';
    const source = `${sourceName(input, file)}:${done.line}${from === 'unknown' ? '' : ` (${from})`}`;
    const place = { line: done.line, ...inFile };
    const origin = importOrigin(kind, source, done.fields.get('Filed'));
    yield { kind: 'node', ...place, name, type: 'room', observations: [done.lines.join('\n')], origin };
  };
  for await (const { line, text, problem } of streamLines(readBytes(input, file))) {
    if (text === undefined) {
      yield { kind: 'unreadable', line, ...inFile, reason: problem ?? 'cannot be read' };
      continue;
    }
    const field = /^\| (Source|Filed|Added by) \| (.*) \|$/.exec(text);
    if (text.startsWith('# ') && name === '') {
      name = text.slice('# '.length);
      const wing = file === undefined ? (name.split(' / ')[0] ?? '') : posix.dirname(file);
      const provenance = importOrigin(kind, sourceName(input, file));
      yield { kind: 'edge', line, ...inFile, from: name, type: 'in_wing', to: wing, provenance };
    } else if (text.startsWith('## ')) {
      yield* finish();
      drawer = { line, lines: [], fields: new Map() };
    } else if (drawer !== undefined && text.startsWith('>')) drawer.lines.push(text.replace(/^> ?/, ''));
    else if (field !== null) drawer?.fields.set(field[1] ?? '', field[2] ?? '');
    else if (drawer === undefined && name === '') {
      yield { kind: 'unreadable', line, ...inFile, reason: 'is not a room of MemPalace' };
      return;
    }
  }
  yield* finish();
}
