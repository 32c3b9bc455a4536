import { isRecord } from '../model/is-record.js';

export type TranscriptRecord = Readonly<Record<string, unknown>>;

/** A call of a tool, whichever client wrote it down. */
export interface TranscriptCall {
  readonly tool: string;
  readonly input: unknown;
}

/** The records of a transcript: JSON lines, or one JSON document with `messages`. What cannot be read is skipped. */
export function* recordsIn(text: string): Generator<TranscriptRecord> {
  const whole = text.startsWith('{"') || text.startsWith('{\n') ? parse(text) : undefined;
  const messages = whole?.['messages'];
  if (Array.isArray(messages)) {
    yield* messages.filter(isRecord);
    return;
  }
  for (const line of text.split('\n')) {
    const record = line.startsWith('{') ? parse(line) : undefined;
    if (record !== undefined) yield record;
  }
}

/** Claude Code and Cursor put the message below `message`, Codex below `payload`. */
export function bodyOf(record: TranscriptRecord): TranscriptRecord {
  return [record['message'], record['payload']].find(isRecord) ?? record;
}

/** How Claude Code marks what the client, a subagent or its own summary of the session says in the user's place. */
export const foreignMarks = ['isMeta', 'isSidechain', 'isCompactSummary'] as const;

/** What the user wrote; without what the client put in their mouth. */
export function userTexts(record: TranscriptRecord): readonly string[] {
  const body = bodyOf(record);
  const role = body['role'] ?? record['role'] ?? record['type'];
  if (role !== 'user' || foreignMarks.some((mark) => record[mark] === true)) return [];
  const content = body['content'];
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : part))
    .filter((part) => typeof part === 'string')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(<|\[Request interrupted|# AGENTS\.md|Caveat:)/.test(part));
}

export function callsIn(record: TranscriptRecord): readonly TranscriptCall[] {
  const body = bodyOf(record);
  return [body, body['content'], record['toolCalls']]
    .flat()
    .filter(isRecord)
    .flatMap((part) => {
      const tool = part['name'];
      const input = part['input'] ?? part['args'] ?? part['arguments'];
      return typeof tool === 'string' && input !== undefined ? [{ tool, input: parsedInput(input) }] : [];
    });
}

/** Texts that tools returned. */
export function toolTexts(record: TranscriptRecord): readonly string[] {
  const body = bodyOf(record);
  return [body, body['content'], record['toolCalls']]
    .flat()
    .filter(isRecord)
    .flatMap((part) =>
      part['type'] === 'tool_result' ? textsIn(part['content']) : textsIn(part['output'] ?? part['result']),
    );
}

/** Codex writes arguments as JSON in a string. */
function parsedInput(input: unknown): unknown {
  return typeof input === 'string' && input.startsWith('{') ? (parse(input) ?? input) : input;
}

function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth === 6 || typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((below) => textsIn(below, depth + 1));
}

function parse(text: string): TranscriptRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
