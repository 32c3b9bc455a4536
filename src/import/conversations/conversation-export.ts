import { isRecord } from '../../model/is-record.js';
import { type ImportFormat, type ImportItem, isoTime } from '../import-format.js';
import { filesOf, headsOf, type ImportInput, sourceName } from '../import-input.js';
import { jsonRecords } from '../json/json-records.js';
import { type Conversation, conversationNode, type Turn } from './conversation.js';

const exportFile = /(^|\/)conversations[^/]*\.json$/i;

/** What an export says of one conversation; undefined if it is none. */
type ReadConversation = (
  value: Readonly<Record<string, unknown>>,
) => (Pick<Conversation, 'name' | 'props'> & { readonly turns: readonly Turn[] }) | undefined;

/** The conversations.json of an export, or the folder it is in. */
export function conversationExport(
  format: Pick<ImportFormat, 'kind' | 'title' | 'losses'> & {
    readonly marks: readonly RegExp[];
    readonly read: ReadConversation;
  },
): ImportFormat {
  const { kind, title, losses, marks, read } = format;
  return {
    ...{ kind, title, losses },
    // A conversation may be longer than the sample, so its text must do.
    recognise: (sample) =>
      headsOf(sample, exportFile).some(
        (head) => /^\s*[[{]/.test(head) && marks.every((mark) => mark.test(head)),
      )
        ? 0.95
        : 0,
    async *read(input) {
      for (const file of filesOf(input, exportFile)) yield* readExport(kind, read, input, file);
    },
  };
}

async function* readExport(
  kind: string,
  read: ReadConversation,
  input: ImportInput,
  file: string | undefined,
): AsyncGenerator<ImportItem> {
  const source = sourceName(input, file);
  for await (const { line, value, problem } of jsonRecords(input, file)) {
    const place = { line, ...(file === undefined ? {} : { file }) };
    const found = isRecord(value) ? read(value) : undefined;
    if (found !== undefined) yield conversationNode({ kind, source: `${source}:${line}`, place, ...found });
    else yield { kind: 'unreadable', ...place, reason: problem ?? `is not a conversation of ${kind}` };
  }
}

/** When it began and when it last changed. */
export function conversationTimes(created: unknown, updated: unknown) {
  const [begun, changed] = [isoTime(created), isoTime(updated)];
  return {
    ...(begun === undefined ? {} : { created: begun }),
    ...(changed === undefined ? {} : { updated: changed }),
  };
}
