import { isRecord, ownValue } from '../../model/is-record.js';
import { conversationName, type Turn } from './conversation.js';
import { conversationExport, conversationTimes } from './conversation-export.js';

type Mapping = Readonly<Record<string, unknown>>;

/** What chatgpt.com sends for "Export data". */
export const chatgptExport = conversationExport({
  kind: 'chatgpt',
  title: 'conversations.json of a ChatGPT data export, or its folder',
  losses: [
    'other versions of a conversation (edited questions, repeated answers)',
    'tool calls, hidden messages, files and pictures',
  ],
  marks: [/"mapping"\s*:\s*\{/, /"(create_time|current_node)"\s*:/],
  read: (conversation) => {
    const { title, mapping, current_node: last, create_time: created, update_time: updated } = conversation;
    const id = conversation['conversation_id'] ?? conversation['id'];
    if (typeof id !== 'string' || !isRecord(mapping)) return undefined;
    return {
      name: conversationName(title, id),
      props: { conversation_id: id, ...conversationTimes(created, updated) },
      turns: messages(mapping, last).flatMap(turn),
    };
  },
});

/** From the first message to the last one shown. A message that comes twice ends the search: such a file is damaged. */
function messages(mapping: Mapping, last: unknown): unknown[] {
  const seen = new Set<string>();
  const path: unknown[] = [];
  let id = typeof last === 'string' ? last : lastMessage(mapping);
  while (typeof id === 'string' && !seen.has(id)) {
    seen.add(id);
    const node = ownValue(mapping, id);
    if (!isRecord(node)) break;
    path.push(node['message']);
    id = typeof node['parent'] === 'string' ? node['parent'] : undefined;
  }
  return path.reverse();
}

/** The message without an answer; the last of several. */
function lastMessage(mapping: Mapping): string | undefined {
  return Object.entries(mapping)
    .filter(
      ([, node]) => isRecord(node) && (!Array.isArray(node['children']) || node['children'].length === 0),
    )
    .at(-1)?.[0];
}

function turn(message: unknown): Turn[] {
  if (!isRecord(message) || !isRecord(message['author']) || !isRecord(message['content'])) return [];
  const { author, content, metadata, create_time: time } = message;
  const role = author['role'];
  if (role !== 'user' && role !== 'assistant') return [];
  if (isRecord(metadata) && metadata['is_visually_hidden_from_conversation'] === true) return [];
  const { parts, text } = content;
  const said = Array.isArray(parts) ? parts.filter((part) => typeof part === 'string').join('\n') : text;
  return typeof said === 'string' && said.trim() !== '' ? [{ role, text: said.trim(), time }] : [];
}
