import type { Resource } from '../surface.js';
import { jsonText } from '../tool.js';

export const serverGraphsResource: Resource = {
  uri: 'trellis://graphs',
  aliases: ['omnigraph://graphs'],
  name: 'graphs',
  title: 'Graphs',
  description: 'The graphs on this server that you can reach.',
  mimeType: 'application/json',
  action: 'graph_list',
  changesWith: 'graphs',
  async read({ server }) {
    return jsonText({ graphs: (await server.graphs()).map((name) => ({ graph_id: name })) });
  },
};
