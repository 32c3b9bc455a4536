import type { Resource } from '../surface.js';

export const graphSchemaResource: Resource = {
  uri: 'trellis://schema',
  aliases: ['omnigraph://schema'],
  name: 'schema',
  title: 'Schema',
  description: 'The schema of this graph in the .pg language; empty if it has none.',
  mimeType: 'text/plain',
  action: 'read',
  changesWith: 'schema',
  async read({ graph }) {
    return (await graph.read((reader) => reader.schema())) ?? '';
  },
};
