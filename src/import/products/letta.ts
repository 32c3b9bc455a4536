import { isRecord } from '../../model/is-record.js';
import { blockTexts, conversationNode, type Turn } from '../conversations/conversation.js';
import { type ImportItem, importOrigin } from '../import-format.js';
import { type ImportInput, sourceName } from '../import-input.js';
import { jsonRecords } from '../json/json-records.js';
import { type ExportedItem, jsonExport } from './json-export.js';
import { list, memoryNode, record, text, texts } from './memory-record.js';

const kind = 'letta';

/** An agent file: agents with their messages and memory blocks; or one agent, as older files have it. */
export const letta = jsonExport({
  kind,
  title: 'an agent file of Letta (.af)',
  losses: [
    'tools, model settings, files and sources',
    'archival memory, which an agent file does not contain',
  ],
  files: /\.af$/i,
  recognises: (head) =>
    /^\s*\{/.test(head) &&
    ((/"agents"\s*:\s*\[/.test(head) && /"(blocks|block_ids)"\s*:/.test(head)) ||
      (/"agent_type"\s*:/.test(head) && /"core_memory"\s*:/.test(head))),
  reader: async (input, file) => {
    const only = await agentName(input, file);
    const owners = new Map<string, string[]>();
    return (item) => {
      switch (item.key) {
        case 'agents':
          return agent(item, owners);
        case 'blocks':
          return block(item, owners.get(String(item.value['id'])) ?? []);
        case 'core_memory':
          return block(item, [only]);
        case 'messages':
          return conversation(item, only, [item.value]);
        default:
          return [];
      }
    };
  },
});

/** An older file has one agent, whose name may come last. */
async function agentName(input: ImportInput, file: string | undefined): Promise<string> {
  for await (const { key, value } of jsonRecords({ ...input, onBytes: () => {} }, file))
    if (key === 'name' && typeof value === 'string') return value;
  return sourceName(input, file);
}

function agent(
  { value, place, source }: ExportedItem,
  owners: Map<string, string[]>,
): ImportItem[] | undefined {
  const { id, name: given, description, agent_type: agentType, tags, block_ids: blocks, messages } = value;
  const name = text(given) ?? text(id);
  if (name === undefined) return undefined;
  for (const each of list(blocks)) owners.set(each, [...(owners.get(each) ?? []), name]);
  const summary = text(description);
  return [
    {
      ...{ kind: 'node', ...place, name, type: 'agent', observations: [], tags: list(tags) },
      ...(summary === undefined ? {} : { summary }),
      props: Object.fromEntries(texts(agentType).map((each) => ['agent_type', each])),
      origin: importOrigin(kind, source),
    },
    ...conversation({ key: '', value, place, source }, name, Array.isArray(messages) ? messages : []),
  ];
}

function block({ value, place, source }: ExportedItem, owners: readonly string[]): ImportItem[] | undefined {
  const { id, label, value: content, description, metadata, read_only: readOnly } = value;
  if (text(label) === undefined) return undefined;
  const node = memoryNode({
    ...{ kind, source, place, id, title: label, type: 'memory_block', texts: texts(content) },
    ...{ summary: text(description), props: { label, read_only: readOnly, ...record(metadata) } },
  });
  const provenance = importOrigin(kind, source);
  return [
    node,
    ...owners.map((from): ImportItem => {
      return { kind: 'edge', ...place, from, type: 'has_memory', to: node.name, provenance };
    }),
  ];
}

/** The turns of an agent, on a node of their own. */
function conversation(item: ExportedItem, agentOf: string, messages: readonly unknown[]): ImportItem[] {
  const { place, source } = item;
  const turns = messages.flatMap(turn);
  if (turns.length === 0) return [];
  const node = conversationNode({ kind, name: `Letta ${agentOf}`, source, place, props: {}, turns });
  const provenance = importOrigin(kind, source);
  return [
    node,
    { kind: 'edge', ...place, from: agentOf, type: 'has_conversation', to: node.name, provenance },
  ];
}

function turn(message: unknown): Turn[] {
  if (!isRecord(message)) return [];
  const { role, content, text: older, created_at: time } = message;
  const said = blockTexts(content ?? older, ['text']);
  if ((role !== 'user' && role !== 'assistant') || said === '') return [];
  return [{ role, text: said, time }];
}
