import { jsonTextAsync } from '../json-text.js';
import type { Resource } from '../surface.js';
import { fitMemoryGraph } from './fit-memory-page.js';
import { toMemoryGraph } from './memory-shapes.js';

const uri = 'memory://knowledge-graph';

export const memoryKnowledgeGraphResource: Resource = {
  uri,
  name: 'knowledge-graph',
  title: 'Knowledge graph',
  description: 'The whole memory: all entities and all relations.',
  mimeType: 'application/json',
  action: 'read',
  isPaged: true,
  async read({ graph }, cursor) {
    const found = await graph.read((reader) => fitMemoryGraph(reader, { cursor }), { length: 'linear' });
    const next =
      found.nextCursor === undefined ? [] : [`The next page is ${uri}?cursor=${found.nextCursor}.`];
    return jsonTextAsync(toMemoryGraph({ ...found, warnings: [...found.warnings, ...next] }));
  },
};
