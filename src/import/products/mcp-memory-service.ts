import { jsonExport } from './json-export.js';
import { list, memoryNode, record, text, texts } from './memory-record.js';

const kind = 'mcp-memory-service';

/** What `scripts/sync/export_memories.py` writes. */
export const mcpMemoryService = jsonExport({
  kind,
  title: 'an export of mcp-memory-service',
  losses: ['vectors'],
  files: /\.json$/i,
  recognises: (head) =>
    /^\s*\{/.test(head) && /"memories"\s*:/.test(head) && /"(export_metadata|content_hash)"\s*:/.test(head),
  reader: () => (item) => {
    const { key, value, place, source } = item;
    if (key !== 'memories') return [];
    const { content, content_hash: id, memory_type: type, tags, metadata, created_at: created } = value;
    if (text(content) === undefined) return undefined;
    const time = value['updated_at'] ?? created;
    const props = { ...record(metadata), content_hash: id, created_at: created };
    return [
      memoryNode({ kind, source, place, id, type, texts: texts(content), tags: list(tags), props, time }),
    ];
  },
});
