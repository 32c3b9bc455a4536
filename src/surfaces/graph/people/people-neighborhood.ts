import { z } from 'zod';
import { hubs, neighbourhood } from '../../../engine/traverse/neighbourhood.js';
import type { Commit } from '../../../model/commit.js';
import { limits, workspaceLimits } from '../../../model/limits.js';
import type { Reader } from '../../../store/reader.js';
import { storedName } from '../../common-shapes.js';
import { defineTool } from '../../tool.js';
import { reads } from '../../tool-annotations.js';
import { branchInput } from '../graph-shapes.js';
import { nodeRefOutput, readPermission, readState, timeOutput } from './people-shapes.js';

const commitsOutput = z.array(z.object({ commit_id: z.string(), actor_id: z.string(), at: timeOutput }));
const lastCommit = z.int().optional().describe('The commit that changed it last, as an index into commits');

export const peopleNeighborhood = defineTool({
  name: 'people_neighborhood',
  title: 'Get a neighborhood',
  description:
    'Get a node and those within some hops, nearest first, with every edge between them. Without a name, get the nodes with the most edges.',
  input: z.object({
    name: z.string().max(limits.nameLength).optional().describe('The node to start at'),
    type: storedName.optional().describe('Its type, if nodes of several types share the name'),
    depth: z.int().min(1).max(3).default(1).describe('The number of hops'),
    limit: z.int().min(1).max(5_000).default(200).describe('At most this many nodes'),
    relation: storedName.optional().describe('Only edges of this type'),
    branch: branchInput('The branch to read'),
  }),
  output: z.object({
    nodes: z.array(
      nodeRefOutput.extend({
        degree: z.int().describe('The number of its edges in the graph'),
        commit: lastCommit,
      }),
    ),
    edges: z.array(
      z.object({
        from: z.int().describe('An index into nodes'),
        to: z.int().describe('An index into nodes'),
        type: z.string(),
        key: z.string().optional(),
        weight: z.number().optional().describe('Default: 1'),
        commit: lastCommit,
      }),
    ),
    commits: commitsOutput.describe('Who changed the nodes and edges last, and when'),
    truncated: z.boolean().describe('True if there are more nodes'),
  }),
  annotations: reads,
  action: readPermission,
  hidesRegistry: true,
  run: (call, { name, type, depth, limit, relation, branch }) =>
    readState(
      call,
      { branch },
      async (reader) => {
        const found =
          name === undefined
            ? { ...(await hubs(reader, limit, relation)), nextCursor: undefined }
            : await neighbourhood(
                reader,
                { name, type },
                { depth, limit, edgeType: relation, maxNodes: workspaceLimits.visitedNodes },
              );
        return draw(reader, found, found.isCut || found.nextCursor !== undefined);
      },
      'linear',
    ),
});

async function draw(
  reader: Reader,
  { nodes, edges }: Pick<Awaited<ReturnType<typeof hubs>>, 'nodes' | 'edges'>,
  truncated: boolean,
) {
  const ids = nodes.map(({ id }) => id);
  const place = new Map(ids.map((id, index) => [id, index]));
  const degrees = await reader.degrees({ ids });
  const touches = await reader.lastTouched(ids);
  const commits = new CommitTable();
  for (const { seq, commit, actor, time } of touches.values()) commits.add({ seq, id: commit, actor, time });
  const unknown = new Set(edges.map(({ born }) => born).filter((seq) => !commits.has(seq)));
  for (const commit of await reader.commitsAt([...unknown])) commits.add(commit);
  return {
    nodes: nodes.map(({ id, ...node }) => ({
      ...{ name: node.name, type: node.type, degree: degrees.get(id) ?? 0 },
      ...commits.reference(touches.get(id)?.seq),
    })),
    edges: edges.flatMap(({ from, to, type, key, weight, born }) => {
      const ends = { from: place.get(from) ?? -1, to: place.get(to) ?? -1 };
      if (ends.from < 0 || ends.to < 0) return [];
      return [
        {
          ...{ ...ends, type },
          ...(key === '' ? {} : { key }),
          ...(weight === 1 ? {} : { weight }),
          ...commits.reference(born),
        },
      ];
    }),
    commits: commits.list,
    truncated,
  };
}

/** Few commits change many nodes, so each is listed once. */
class CommitTable {
  readonly list: z.output<typeof commitsOutput> = [];
  readonly #places = new Map<number, number>();

  has(seq: number): boolean {
    return this.#places.has(seq);
  }

  add({ seq, id, actor, time }: Pick<Commit, 'seq' | 'id' | 'actor' | 'time'>): void {
    if (this.has(seq)) return;
    this.#places.set(seq, this.list.length);
    this.list.push({ commit_id: id, actor_id: actor, at: new Date(time).toISOString() });
  }

  reference(seq = -1): { readonly commit?: number } {
    const commit = this.#places.get(seq);
    return commit === undefined ? {} : { commit };
  }
}
