import { z } from 'zod';
import { openNumbered } from '../../engine/read/numbered-facts.js';
import { reads } from '../annotations.js';
import { defineTool } from '../tool.js';
import { provenanceMember, provenanceOutput } from './provenance.js';
import {
  batch,
  headOf,
  isoTime,
  ordinal,
  relationOf,
  relationOutput,
  summary,
  tags,
  time,
} from './shapes.js';

export const openNodes = defineTool({
  name: 'open_nodes',
  title: 'Open nodes',
  description:
    'Retrieve nodes by exact name with everything about them: observations in ordinal order, summary, tags, ' +
    'where it came from if the write gate let it in, and every relation with at least one end among them. If you only know what a node is about, use search_nodes.',
  input: z.object({ names: batch(z.string(), 'The exact names of the nodes') }),
  output: z.object({
    entities: z.array(
      z.object({
        name: z.string(),
        entity_type: z.string(),
        summary,
        tags,
        observations: z.array(
          z.object({
            ordinal: ordinal.describe('Never changes; 0: a property that was written with a schema'),
            content: z.string(),
          }),
        ),
        created_at: time,
        updated_at: time,
        provenance: provenanceOutput,
      }),
    ),
    relations: z.array(relationOutput.extend({ provenance: provenanceOutput })),
    not_found: z.array(z.string()),
  }),
  annotations: reads,
  action: 'read',
  async run({ graph }, { names }) {
    const { nodes, edges, notFound } = await graph.read((reader) => openNumbered(reader, names));
    return {
      entities: nodes.map(({ node, facts, updatedAt }) => ({
        ...headOf(node),
        tags: [...node.tags],
        observations: facts.map((fact) => ({ ordinal: fact.ordinal, content: fact.text })),
        created_at: isoTime(node.createdAt),
        updated_at: isoTime(updatedAt),
        ...provenanceMember(node),
      })),
      relations: edges.map((edge) => ({ ...relationOf(edge), ...provenanceMember(edge) })),
      not_found: [...notFound],
    };
  },
});
