import { z } from 'zod';
import { openNodes as open, openList } from '../../engine/read/open-nodes.js';
import { pageReadLength } from '../../engine/read/page.js';
import { isOfType } from '../../engine/specs.js';
import { cursorInput, typeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { type EntityList, fitMemoryPage } from './fit-memory-page.js';
import { names, pageOutput, toMemoryGraph } from './memory-shapes.js';

export const memoryOpenNodes = defineTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Open specific nodes in the knowledge graph by their names. ' +
    'Names must match exactly, and unknown ones are left out; if you only know a part, use search_nodes.',
  input: z.object({
    names: names('The exact names of the entities'),
    entityType: typeInput('Only entities of this type, if entities of several types share a name'),
    cursor: cursorInput,
  }),
  output: pageOutput,
  annotations: reads,
  action: 'read',
  async run({ graph }, { names, entityType: type, cursor }) {
    const asked = new Set(names);
    const found = await graph.read(
      (reader) => {
        const list: EntityList = {
          name: openList,
          read: (page) => open(reader, names, { type, ...page }),
          keepMatches: async (nodes) => nodes.filter((node) => asked.has(node.name) && isOfType(node, type)),
        };
        return fitMemoryPage(reader, list, { cursor });
      },
      { length: pageReadLength(names.length) },
    );
    return toMemoryGraph(found);
  },
});
