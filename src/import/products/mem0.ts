import { type ImportItem, importOrigin } from '../import-format.js';
import { type ExportedItem, jsonExport } from './json-export.js';
import { list, memoryNode, record, text, texts } from './memory-record.js';

const kind = 'mem0';

/** The result of `get_all` of mem0, and the backup of OpenMemory (memories.json, or the unpacked memories.jsonl). */
export const mem0 = jsonExport({
  kind,
  title: 'memories of mem0 (get_all as JSON) or a backup of OpenMemory (memories.json)',
  losses: ['memories that were deleted', 'access rules and the history of states', 'vectors'],
  files: /(^|\/)memories[^/]*\.json$/i,
  recognises: (head) =>
    (/"memory"\s*:\s*"/.test(head) && /"id"\s*:/.test(head)) ||
    (/"content"\s*:\s*"/.test(head) &&
      /"(category_ids|categories)"\s*:/.test(head) &&
      /"state"\s*:/.test(head)) ||
    (/^\s*\{\s*"user"\s*:/.test(head) && /"apps"\s*:/.test(head)),
  reader: () => {
    // A backup lists these before the memories that refer to them.
    const names = new Map<string, string>();
    return (item) => {
      const { key, value } = item;
      if (['user', 'apps', 'categories'].includes(key)) {
        const name = texts(value['user_id'], value['name'], value['id'])[0];
        if (name !== undefined) names.set(String(value['id']), name);
        return [];
      }
      if (key === 'relations') return relation(item);
      return ['', 'results', 'memories'].includes(key) ? memory(item, names) : [];
    };
  },
});

function memory(
  { value, place, source }: ExportedItem,
  names: ReadonlyMap<string, string>,
): ImportItem[] | undefined {
  const said = text(value['memory']) ?? text(value['content']) ?? text(value['text']);
  if (said === undefined) return undefined;
  if (value['state'] === 'deleted') return [];
  const {
    id,
    metadata,
    categories,
    category_ids: ids,
    state,
    app,
    app_id: appId,
    created_at: created,
  } = value;
  const node = memoryNode({
    ...{ kind, source, place, id, texts: texts(said), time: value['updated_at'] ?? created },
    tags: [...list(categories), ...list(ids).map((each) => names.get(each) ?? each)],
    props: {
      ...record(metadata),
      ...{ memory_id: id, created_at: created, app: app ?? names.get(String(appId)) },
      ...(state === undefined || state === 'active' ? {} : { state }),
    },
  });
  const about = texts(value['user_id'], value['agent_id'], value['run_id']).map((id) => names.get(id) ?? id);
  return [
    node,
    ...about.map((to): ImportItem => {
      return {
        kind: 'edge',
        ...place,
        from: node.name,
        type: 'about',
        to,
        provenance: importOrigin(kind, source),
      };
    }),
  ];
}

function relation({ value, place, source }: ExportedItem): ImportItem[] | undefined {
  const [from, type, to] = [
    value['source'],
    value['relationship'],
    value['destination'] ?? value['target'],
  ].map(text);
  if (from === undefined || type === undefined || to === undefined) return undefined;
  return [{ kind: 'edge', ...place, from, type, to, provenance: importOrigin(kind, source) }];
}
