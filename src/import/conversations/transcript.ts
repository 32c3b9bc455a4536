import { isRecord } from '../../model/is-record.js';
import type { Props } from '../../model/json.js';
import type { ImportFormat, ImportItem } from '../import-format.js';
import { filesOf, headsOf, type ImportInput, sourceName } from '../import-input.js';
import { jsonLineRecords, sampleLineRecords } from '../json/json-records.js';
import { conversationNode, type Turn } from './conversation.js';

/** What a line of a transcript says. */
export interface TranscriptLine {
  /** The session it belongs to; without it, the one of the line before. */
  readonly session?: string;
  readonly props?: Props;
  readonly turn?: Turn;
}

type JsonObject = Readonly<Record<string, unknown>>;

interface TranscriptFormat extends Pick<ImportFormat, 'kind' | 'title' | 'losses'> {
  /** Whose sessions they are. */
  readonly program: string;
  isLine(value: JsonObject): boolean;
  read(value: JsonObject): TranscriptLine;
}

const transcriptFile = /\.jsonl$/i;

/** A long session is written in parts, so that it never has to be in memory whole. */
const turnsPerRecord = 200;

/** JSON lines that a coding agent keeps of its sessions: one file, or a folder of them. */
export function transcriptFormat(format: TranscriptFormat): ImportFormat {
  const { kind, title, losses } = format;
  return {
    ...{ kind, title, losses },
    recognise: (sample) =>
      headsOf(sample, transcriptFile).some((head) =>
        sampleLineRecords(head).some(({ value }) => isRecord(value) && format.isLine(value)),
      )
        ? 0.95
        : 0,
    async *read(input) {
      for (const file of filesOf(input, transcriptFile)) yield* readTranscript(format, input, file);
    },
  };
}

async function* readTranscript(
  format: TranscriptFormat,
  input: ImportInput,
  file: string | undefined,
): AsyncGenerator<ImportItem> {
  const { kind, program } = format;
  const source = sourceName(input, file);
  const inFile = file === undefined ? {} : { file };
  let session = source.replace(/^.*\//, '').replace(transcriptFile, '');
  let props: Props = {};
  let turns: Turn[] = [];
  let first = 1;
  const flush = function* (): Generator<ImportItem> {
    if (turns.length > 0)
      yield conversationNode({
        ...{ kind, name: `${program} ${session}`, source: `${source}:${first}`, turns },
        ...{ place: { line: first, ...inFile }, props: { session_id: session, ...props } },
      });
    turns = [];
  };
  for await (const { line, value, problem } of jsonLineRecords(input, file)) {
    if (!isRecord(value)) {
      yield { kind: 'unreadable', line, ...inFile, reason: problem ?? 'is not a JSON object' };
      continue;
    }
    const said = format.read(value);
    const isOther = said.session !== undefined && said.session !== session;
    if (isOther || turns.length === turnsPerRecord) yield* flush();
    if (isOther) props = {};
    if (turns.length === 0) first = line;
    session = said.session ?? session;
    props = { ...said.props, ...props };
    if (said.turn !== undefined) turns.push(said.turn);
  }
  yield* flush();
}
