import { isRecord } from '../../model/is-record.js';
import { textProps } from './conversation.js';
import { transcriptFormat } from './transcript.js';

/** `~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl`. */
export const codexTranscripts = transcriptFormat({
  kind: 'codex',
  program: 'Codex',
  title: 'transcripts of Codex (~/.codex/sessions): a file or a folder',
  losses: ['tool calls and their results, reasoning, pictures'],
  isLine: ({ type, payload }) => type === 'session_meta' && isRecord(payload),
  read: ({ type, payload, timestamp }) => {
    if (!isRecord(payload)) return {};
    if (type === 'session_meta') {
      const { id, cwd, git, timestamp: created } = payload;
      return {
        ...(typeof id === 'string' ? { session: id } : {}),
        props: textProps({ folder: cwd, git_branch: isRecord(git) ? git['branch'] : undefined, created }),
      };
    }
    // The model's own messages repeat these, and have what the program put before them.
    const roles = new Map<unknown, string>([
      ['user_message', 'user'],
      ['agent_message', 'assistant'],
    ]);
    const role = type === 'event_msg' ? roles.get(payload['type']) : undefined;
    const { message } = payload;
    if (role === undefined || typeof message !== 'string' || message.trim() === '') return {};
    return { turn: { role, text: message.trim(), time: timestamp } };
  },
});
