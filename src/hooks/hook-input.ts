import { isRecord } from '../model/is-record.js';

/** What a client says on standard input about the session in which it runs a hook. */
export interface HookInput {
  readonly session?: string;
  /** The file with the conversation; some clients have none. */
  readonly transcript?: string;
  readonly folder?: string;
}

/** Claude Code, Codex and Gemini CLI say `session_id` and `cwd`; Cursor says `conversation_id` and `workspace_roots`. */
export function parseHookInput(text: string): HookInput {
  const given: unknown = JSON.parse(text);
  if (!isRecord(given)) return {};
  const session = textIn(given['session_id'] ?? given['conversation_id']);
  const transcript = textIn(given['transcript_path']);
  const roots: unknown = given['workspace_roots'];
  const folder = textIn(given['cwd']) ?? (Array.isArray(roots) ? textIn(roots[0]) : undefined);
  return {
    ...(session === undefined ? {} : { session }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(folder === undefined ? {} : { folder }),
  };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : undefined;
}
