import { foreignMarks } from '../../hooks/transcript-records.js';
import { isRecord } from '../../model/is-record.js';
import { blockTexts, textProps } from './conversation.js';
import { transcriptFormat } from './transcript.js';

/** `~/.claude/projects/<project>/<session>.jsonl`. */
export const claudeCodeTranscripts = transcriptFormat({
  kind: 'claude-code',
  program: 'Claude Code',
  title: 'transcripts of Claude Code (~/.claude/projects): a file or a folder',
  losses: ['tool calls and their results, thinking, pictures', 'side conversations of subagents, and titles'],
  isLine: ({ sessionId, type, message }) =>
    typeof sessionId === 'string' && (type === 'user' || type === 'assistant') && isRecord(message),
  read: ({ sessionId, type, message, timestamp, cwd, gitBranch, ...marks }) => {
    const session = typeof sessionId === 'string' ? { session: sessionId } : {};
    if (
      (type !== 'user' && type !== 'assistant') ||
      foreignMarks.some((mark) => marks[mark] === true) ||
      !isRecord(message)
    )
      return session;
    const text = blockTexts(message['content'], ['text']);
    return {
      ...session,
      props: textProps({ folder: cwd, git_branch: gitBranch, created: timestamp }),
      ...(text === '' ? {} : { turn: { role: type, text, time: timestamp } }),
    };
  },
});
