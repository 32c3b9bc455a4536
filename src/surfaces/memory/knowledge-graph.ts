import { readGraph } from '../../engine/read/read-graph.js';
import { refuseTooLong } from '../bounded-answer.js';
import type { Resource } from '../surface.js';
import { jsonText } from '../tool.js';
import { graphOf } from './shapes.js';

/** The whole graph by address; clients that subscribe are told when it changes. */
export const knowledgeGraph: Resource = {
  uri: 'memory://knowledge-graph',
  name: 'knowledge-graph',
  title: 'Knowledge graph',
  description: 'Everything that is remembered: all entities and all relations.',
  mimeType: 'application/json',
  action: 'read',
  async read({ graph }) {
    const found = await graph.read(
      async (reader) => {
        await refuseTooLong(reader);
        return readGraph(reader);
      },
      { length: 'linear' },
    );
    return jsonText(graphOf(found));
  },
};
