import { isRecord } from '../../model/is-record.js';
import { blockTexts, conversationName, type Turn } from './conversation.js';
import { conversationExport, conversationTimes } from './conversation-export.js';

/** What claude.ai sends for "Export data". */
export const claudeExport = conversationExport({
  kind: 'claude',
  title: 'conversations.json of a Claude data export, or its folder',
  losses: ['projects, attached files and pictures', 'tool calls and their results'],
  marks: [/"chat_messages"\s*:/, /"uuid"\s*:/],
  read: ({ uuid, name, created_at: created, updated_at: updated, chat_messages: messages }) => {
    if (typeof uuid !== 'string' || !Array.isArray(messages)) return undefined;
    return {
      name: conversationName(name, uuid),
      props: { conversation_id: uuid, ...conversationTimes(created, updated) },
      turns: messages.flatMap(turn),
    };
  },
});

function turn(message: unknown): Turn[] {
  if (!isRecord(message)) return [];
  const { sender, text, content, created_at: time } = message;
  // Older exports have only the text, newer ones have it in blocks.
  const said = blockTexts(content, ['text']) || blockTexts(text, []);
  if (said === '') return [];
  return [{ role: sender === 'human' ? 'user' : String(sender ?? 'assistant'), text: said, time }];
}
