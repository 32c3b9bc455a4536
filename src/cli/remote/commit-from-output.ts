import type { z } from 'zod';
import { authorOf, type Commit, unknownBranch } from '../../model/commit.js';
import type { commitOutput } from '../../surfaces/graph/graph-shapes.js';

/** The inverse of `toCommitOutput`. */
export function commitFromOutput(output: z.output<typeof commitOutput>): Commit {
  const { nodes, observations, edges } = output.counts;
  return {
    ...{ id: output.commit_id, seq: output.seq, branch: output.branch ?? unknownBranch },
    ...{ parent: output.parent_commit_id, mergedParent: output.merged_parent_commit_id },
    ...authorOf({ ...output, actor: output.actor_id }),
    time: Date.parse(output.created_at),
    counts: {
      ...{ nodesCreated: nodes.created, nodesUpdated: nodes.updated, nodesDeleted: nodes.deleted },
      observationsAdded: observations.created,
      observationsUpdated: observations.updated,
      observationsDeleted: observations.deleted,
      ...{ edgesCreated: edges.created, edgesUpdated: edges.updated, edgesDeleted: edges.deleted },
    },
    ...(output.schema_changed === undefined ? {} : { setsSchema: output.schema_changed }),
    ...(output.collected === undefined ? {} : { collected: output.collected }),
  };
}
