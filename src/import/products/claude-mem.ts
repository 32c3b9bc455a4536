import { type ImportItem, importOrigin } from '../import-format.js';
import { type ExportedItem, jsonExport } from './json-export.js';
import { list, memoryNode, text, texts } from './memory-record.js';

const kind = 'claude-mem';

/** What `scripts/export-memories.ts` writes: observations, and the sessions they were made in. */
export const claudeMem = jsonExport({
  kind,
  title: 'an export of claude-mem',
  losses: ['the numbers of prompts and tokens', 'vectors'],
  files: /\.json$/i,
  recognises: (head) =>
    /^\s*\{/.test(head) && /"exportedAt(Epoch)?"\s*:/.test(head) && /"totalObservations"\s*:/.test(head),
  reader: () => {
    // Prompts know only the session of the client; sessions precede them.
    const sessions = new Map<string, string>();
    return (item) => {
      const { key, value } = item;
      if (key === 'observations') return observation(item);
      if (key === 'sessions') {
        const id = sessionId(value);
        if (id === undefined) return undefined;
        for (const client of texts(value['content_session_id'], value['claude_session_id']))
          sessions.set(client, id);
        return [
          session(
            item,
            id,
            texts(value['user_prompt']).map((prompt) => `prompt: ${prompt}`),
          ),
        ];
      }
      if (key === 'summaries') {
        const id = sessionId(value);
        const parts = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'];
        const said = parts.flatMap((part) => texts(value[part]).map((each) => `${part}: ${each}`));
        return id === undefined ? undefined : [session(item, id, said)];
      }
      if (key !== 'prompts') return [];
      const client = text(value['content_session_id']) ?? text(value['claude_session_id']);
      if (client === undefined) return undefined;
      const said = texts(value['prompt_text']).map((prompt) => `prompt: ${prompt}`);
      return [session(item, sessions.get(client) ?? client, said)];
    };
  },
});

function sessionId(value: ExportedItem['value']): string | undefined {
  return text(value['memory_session_id']) ?? text(value['sdk_session_id']);
}

const sessionName = (id: string) => `claude-mem session ${id}`;

function session(item: ExportedItem, id: string, observations: readonly string[]): ImportItem {
  const { value, place, source } = item;
  return {
    ...{ kind: 'node', ...place, name: sessionName(id), type: 'session', observations },
    props: Object.fromEntries(texts(value['project']).map((project) => ['project', project])),
    origin: importOrigin(kind, source, value['created_at_epoch'] ?? value['started_at_epoch']),
  };
}

function observation({ value, place, source }: ExportedItem): ImportItem[] | undefined {
  const { title, subtitle, facts, narrative, text: plain, type, concepts, project } = value;
  const said = [...list(facts), ...texts(narrative, plain)];
  if (text(title) === undefined && said.length === 0) return undefined;
  const time = value['created_at_epoch'] ?? value['created_at'];
  const id = sessionId(value);
  const node = memoryNode({
    // The number of a row is another one in another database.
    ...{ kind, source, place, id: `${id ?? ''}${String(time)}`.slice(-8), title, type, time },
    ...{ summary: text(subtitle), texts: said, tags: list(concepts) },
    props: { project, files_read: list(value['files_read']), files_modified: list(value['files_modified']) },
  });
  const provenance = importOrigin(kind, source, time);
  if (id === undefined) return [node];
  return [
    node,
    { kind: 'edge', ...place, from: node.name, type: 'made_in', to: sessionName(id), provenance },
  ];
}
