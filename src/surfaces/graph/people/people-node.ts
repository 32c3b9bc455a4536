import { z } from 'zod';
import { readDerivation } from '../../../engine/derivation/read-derivation.js';
import { blameNode, type NodeFacts, readNodeFacts } from '../../../engine/history/blame-node.js';
import { edgeToJson } from '../../../engine/history/diff-json.js';
import { requireNodeOfType } from '../../../engine/require-nodes.js';
import type { Commit } from '../../../model/commit.js';
import { type Edge, edgeKey } from '../../../model/edge.js';
import type { Reader } from '../../../store/reader.js';
import { storedName } from '../../common-shapes.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput, commitId } from '../graph-shapes.js';
import { hideOrigin } from '../readable-commits.js';
import {
  blameOutput,
  derivationOutput,
  nodeBlameOutput,
  toBlameOutput,
  toNodeBlameOutput,
} from './people-blame-shapes.js';
import {
  nodeHeaderOutput,
  nodeRefOutput,
  readPermission,
  readState,
  timeOutput,
  toNodeHeader,
} from './people-shapes.js';

/** Edges shown in each direction; a hub may have any number. */
const maxEdges = 1_000;

const json = z.record(z.string(), z.unknown());

const edgeOutput = z.object({
  from: nodeRefOutput,
  to: nodeRefOutput,
  type: z.string(),
  key: z.string().optional(),
  weight: z.number(),
  props: json.optional(),
  provenance: json.optional(),
  blame: blameOutput.optional(),
});

export const peopleNodeOutput = z.object({
  node: nodeHeaderOutput.extend({
    props: json.optional(),
    provenance: json.optional(),
    observations: z.array(
      z.object({
        ordinal: z.int(),
        text: z.string(),
        provenance: json.optional(),
        blame: blameOutput.optional(),
      }),
    ),
    created_at: timeOutput,
    updated_at: timeOutput,
    commit_id: z
      .string()
      .optional()
      .describe('The last commit that changed the node, its observations or its edges'),
    blame: nodeBlameOutput.optional(),
    derivation: derivationOutput.optional(),
  }),
  edges: z.object({
    out: z.array(edgeOutput),
    in: z.array(edgeOutput),
    truncated: z.literal(true).optional().describe(`More than ${maxEdges} edges lead to or from the node`),
  }),
});

export const peopleNode = defineTool({
  name: 'people_node',
  title: 'Get a node',
  description:
    'Get a node with its observations, properties and edges, and on request who put each of them there.',
  input: z.object({
    name: storedName.describe('The name of the node'),
    type: storedName.optional().describe('Its type, if several nodes have the name'),
    blame: z.boolean().optional().describe('Add to each value the commit that put it there'),
    branch: branchInput('The branch to read'),
    snapshot: commitId('A commit, to read the graph as it was then, instead of a branch').optional(),
  }),
  output: peopleNodeOutput,
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  run: (call, { name, type, blame, branch, snapshot }) =>
    readState(
      call,
      { branch, snapshot },
      async (reader) => {
        const node = await requireNodeOfType(reader, { name, type });
        return describeNode(reader, node, { blame: blame === true, show: hideOrigin(call) });
      },
      'linear',
    ),
});

export async function describeNode(
  reader: Reader,
  node: NodeFacts['node'],
  options: { readonly blame: boolean; show?(commit: Commit): Commit },
): Promise<z.output<typeof peopleNodeOutput>> {
  const all = await readNodeFacts(reader, node);
  const out = all.edges.filter(({ from }) => from === node.id);
  const into = all.edges.filter(({ from }) => from !== node.id);
  const edges = [...out.slice(0, maxEdges), ...into.slice(0, maxEdges)];
  const blame = options.blame ? await blameNode(reader, { ...all, edges }, options.show) : undefined;
  const derivation = options.blame ? await readDerivation(reader, node.provenance) : [];
  const touch = (await reader.lastTouched([node.id])).get(node.id);
  const typeOf = new Map(
    (await reader.nodesById(edges.flatMap(({ from, to }) => [from, to]))).map(({ id, type }) => [id, type]),
  );
  const show = (edge: Edge) => {
    const { from: fromName, to: toName, ...rest } = edgeToJson(edge);
    const blamed = blame?.edges.get(edgeKey(edge));
    return {
      from: { name: fromName, type: typeOf.get(edge.from) ?? '' },
      to: { name: toName, type: typeOf.get(edge.to) ?? '' },
      ...rest,
      ...(blamed === undefined ? {} : { blame: toBlameOutput(blamed) }),
    };
  };
  return {
    node: {
      ...toNodeHeader(node),
      ...(Object.keys(node.props).length === 0 ? {} : { props: { ...node.props } }),
      ...(node.provenance === null ? {} : { provenance: { ...node.provenance } }),
      observations: all.observations.map(({ ordinal, text, provenance }) => {
        const blamed = blame?.observations.get(ordinal);
        return {
          ordinal,
          text,
          ...(provenance === null ? {} : { provenance: { ...provenance } }),
          ...(blamed === undefined ? {} : { blame: toBlameOutput(blamed) }),
        };
      }),
      created_at: new Date(node.createdAt).toISOString(),
      updated_at: new Date(touch?.time ?? node.createdAt).toISOString(),
      ...(touch === undefined ? {} : { commit_id: touch.commit }),
      ...(blame === undefined ? {} : { blame: toNodeBlameOutput(blame) }),
      ...(derivation.length === 0 ? {} : { derivation: [...derivation] }),
    },
    edges: {
      out: out.slice(0, maxEdges).map(show),
      in: into.slice(0, maxEdges).map(show),
      ...(Math.max(out.length, into.length) > maxEdges ? { truncated: true as const } : {}),
    },
  };
}
