import { z } from 'zod';
import { mapYielding } from '../../bounds/yielding-loops.js';
import { type FittedPage, fitPage, type NodePageSource } from '../../engine/read/fit/fit-page.js';
import { type OpenRequest, openList } from '../../engine/read/open-nodes.js';
import {
  findMissingNames,
  type OpenedNode,
  openNodesWithOrdinals,
} from '../../engine/read/open-nodes-with-ordinals.js';
import { pageReadLength } from '../../engine/read/page.js';
import { dropEdgesOfEarlierPages, type MatchFilter } from '../../engine/read/page-edges.js';
import { isOfType } from '../../engine/specs.js';
import type { Reader } from '../../store/reader.js';
import { batchInput, nextCursorOutput, pageExtras, typeInput } from '../common-shapes.js';
import { outputLength } from '../output-length.js';
import { defineTool } from '../tool.js';
import { reads } from '../tool-annotations.js';
import { provenanceField, provenanceOutput } from './workspace-provenance-shapes.js';
import {
  isoTime,
  ordinal,
  summary,
  tags,
  time,
  toNodeHeader,
  toRelationOutput,
  warnings,
  workspacePageInput,
  workspaceRelationOutput,
} from './workspace-shapes.js';

const input = z.object({
  names: batchInput(z.string(), 'The exact names of the nodes'),
  entity_type: typeInput('Only nodes of this type, if nodes of several types share a name'),
  limit: workspacePageInput.limit.describe('At most this many nodes; default: all'),
  cursor: workspacePageInput.cursor,
});

const output = z.object({
  entities: z.array(
    z.object({
      name: z.string(),
      entity_type: z.string(),
      summary,
      tags,
      observations: z.array(
        z.object({
          ordinal: ordinal.describe('Never changes; 0: a property written through a schema'),
          content: z.string(),
        }),
      ),
      created_at: time,
      updated_at: time,
      provenance: provenanceOutput,
    }),
  ),
  relations: z.array(workspaceRelationOutput.extend({ provenance: provenanceOutput })),
  not_found: z.array(z.string()),
  nextCursor: nextCursorOutput,
  warnings,
});

export const workspaceOpenNodes = defineTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Retrieve nodes by exact name with everything about them: observations in ordinal order, summary, tags, ' +
    'provenance if it was written through the write gate, and every relation with at least one end among them. If you only know what a node is about, use search_nodes.',
  input,
  output,
  annotations: reads,
  action: 'read',
  run: ({ graph }, { names, entity_type: type, ...page }) =>
    graph.read(
      async (reader) => {
        const request = { type, ...page };
        const notFound = await findMissingNames(reader, names, type);
        return openNodesOutput(
          await fitPage(reader, openedNodeList(reader, names, notFound, request), request),
          notFound,
        );
      },
      { length: pageReadLength(names.length) },
    ),
});

function openedNodeList(
  reader: Reader,
  names: readonly string[],
  notFound: readonly string[],
  { limit, type }: OpenRequest,
): NodePageSource<OpenedNode> {
  const asked = new Set(names);
  return {
    name: openList,
    shown: { summaryAndTags: true, facts: true },
    async read(page) {
      const opened = await openNodesWithOrdinals(reader, names, { type, ...page });
      const matches = opened.nodes.length;
      if (limit !== undefined || page.cursor === undefined) return { ...opened, matches };
      const keep: MatchFilter = async (nodes) =>
        nodes.filter((node) => asked.has(node.name) && isOfType(node, type));
      return { ...(await dropEdgesOfEarlierPages(reader, opened, keep)), matches };
    },
    truncate: (whole, node, facts) => ({ ...whole, node, facts }),
    length: async (page) => outputLength(await openNodesOutput({ ...page, warnings: [] }, notFound)),
  };
}

async function openNodesOutput(
  { nodes, edges, ...page }: FittedPage<OpenedNode>,
  notFound: readonly string[],
): Promise<z.output<typeof output>> {
  return {
    entities: await mapYielding(nodes, ({ node, facts, updatedAt }) => ({
      ...toNodeHeader(node),
      tags: [...node.tags],
      observations: facts.map((fact) => ({ ordinal: fact.ordinal, content: fact.text })),
      created_at: isoTime(node.createdAt),
      updated_at: isoTime(updatedAt),
      ...provenanceField(node),
    })),
    relations: await mapYielding(edges, (edge) => ({ ...toRelationOutput(edge), ...provenanceField(edge) })),
    not_found: [...notFound],
    ...pageExtras(page),
  };
}
