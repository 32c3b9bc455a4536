import { posix } from 'node:path';
import { decodeUtf8 } from '../../model/text.js';
import { splitFrontMatter } from '../../transfer/formats/parse-markdown-note.js';
import { type ImportFormat, type ImportItem, importOrigin } from '../import-format.js';
import { type ImportInput, type ImportSample, readBytes, sourceName } from '../import-input.js';
import { NoteIndex, withoutExtension } from './note-index.js';
import { type NoteDialect, noteItems } from './note-items.js';
import { type NoteProblem, parseSourceNote, type SourceNote, textOf } from './read-note.js';

const isNote = (path: string) => /\.(md|markdown)$/i.test(path);
const maxNoteBytes = 16_777_216;

/** Folders of notes, Obsidian vaults, and what `trellis export --format markdown` writes. */
export const markdownNotes: ImportFormat = {
  kind: 'markdown',
  title: 'a folder of Markdown notes, such as an Obsidian vault, or a single note',
  losses: [
    'attachments and pictures',
    'the layout of a note (a heading becomes the beginning of the observations below it)',
  ],
  recognise: ({ fileName, isFolder, paths }) =>
    isFolder ? (paths.some(isNote) ? 0.5 : 0) : isNote(fileName) ? 0.5 : 0,
  read: (input) =>
    readNotes('markdown', input, { relationItems: false, hiddenKeys: [], groupHeadings: [] }, (note) => [
      posix.basename(withoutExtension(note.path)),
    ]),
};

/** A project of basic-memory: notes with a title and a permalink, observations and relations as list items. */
export const basicMemory: ImportFormat = {
  kind: 'basic-memory',
  title: 'the notes of a basic-memory project',
  losses: ['the layout of a note (a heading becomes the beginning of the observations below it)'],
  recognise: (sample) => (noteHeads(sample).some(isBasicMemoryNote) ? 0.7 : 0),
  read: (input) =>
    readNotes(
      'basic-memory',
      input,
      { relationItems: true, hiddenKeys: ['title'], groupHeadings: ['Observations', 'Relations'] },
      ({ front, path }) => [
        textOf(front, 'title') ?? posix.basename(withoutExtension(path)),
        textOf(front, 'permalink') ?? withoutExtension(path),
      ],
    ),
};

function noteHeads({ fileName, isFolder, head, heads }: ImportSample): string[] {
  if (!isFolder) return isNote(fileName) ? [head] : [];
  return [...heads].filter(([path]) => isNote(path)).map(([, text]) => text);
}

function isBasicMemoryNote(head: string): boolean {
  const { front } = splitFrontMatter(head.replaceAll('\r\n', '\n'));
  return /^title:/m.test(front) && /^permalink:/m.test(front);
}

async function* readNotes(
  kind: string,
  input: ImportInput,
  dialect: NoteDialect,
  namesFor: (note: SourceNote) => readonly string[],
): AsyncGenerator<ImportItem> {
  const files = input.files?.filter(({ path }) => isNote(path)) ?? [
    { path: sourceName(input), size: input.bytes },
  ];
  const index = new NoteIndex();
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { path, size } of files) {
    const note = await openNote({ ...input, onBytes: () => {} }, path, size);
    if ('problem' in note) continue;
    const wanted = note.own === undefined ? namesFor(note) : [note.own.name];
    const name = wanted.find((each) => !taken.has(each)) ?? withoutExtension(path);
    taken.add(name);
    names.set(path, name);
    index.add(path, name, note.own === undefined ? otherNames(note) : []);
  }
  for (const { path, size } of files) {
    const note = await openNote(input, path, size);
    const name = names.get(path);
    if ('problem' in note || name === undefined)
      yield { kind: 'unreadable', file: path, line: 'line' in note ? note.line : 1, reason: problemOf(note) };
    else {
      const origin = importOrigin(kind, sourceName(input, input.files === undefined ? undefined : path));
      yield* noteItems(note, { name, index, origin, dialect });
    }
  }
}

function problemOf(note: SourceNote | NoteProblem): string {
  return 'problem' in note ? note.problem : 'changed while it was read';
}

function otherNames({ front }: SourceNote): string[] {
  const { permalink, aliases } = front;
  return [permalink, aliases].flat().filter((name) => typeof name === 'string');
}

async function openNote(input: ImportInput, path: string, size: number): Promise<SourceNote | NoteProblem> {
  if (size > maxNoteBytes) return { line: 1, problem: `is in a note of more than ${maxNoteBytes} bytes` };
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes(input, input.files === undefined ? undefined : path))
    chunks.push(chunk);
  const text = decodeUtf8(Buffer.concat(chunks));
  return text === undefined
    ? { line: 1, problem: 'or a line after it is not valid UTF-8' }
    : parseSourceNote(path, text);
}
