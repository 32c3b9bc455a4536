import { z } from 'zod';
import { derivationStates } from '../../../engine/derivation/read-derivation.js';
import type { Blame, NodeBlame } from '../../../engine/history/blame-node.js';
import { authorOf, unknownBranch } from '../../../model/commit.js';
import { timeOutput } from './people-shapes.js';

/** Without a commit, it is no longer known which one it was. */
export const blameOutput = z
  .object({
    commit_id: z.string(),
    seq: z.int(),
    branch: z.string(),
    actor_id: z.string(),
    client: z.string(),
    tool: z.string(),
    message: z.string(),
    at: timeOutput,
    source: z.string(),
    confidence: z.number(),
    extraction_method: z.string(),
    derived_from: z.array(z.string()).describe('The nodes or commits it was derived from'),
    collected: z.literal(true).describe('No longer known: trellis gc has dropped the version'),
  })
  .partial()
  .describe('The commit that put this value there, and where the fact came from');

export const nodeBlameOutput = blameOutput.extend({
  type: blameOutput,
  summary: blameOutput.optional(),
  tags: blameOutput.optional(),
  props: z.record(z.string(), blameOutput),
});

export const derivationOutput = z
  .array(
    z.object({
      reference: z.string(),
      depth: z.int().describe('1 for what the node was derived from, 2 for what that was derived from'),
      state: z
        .enum(derivationStates)
        .describe(
          'repeated: its own sources are listed above; unfollowed: they are not listed, because the chain is too long',
        ),
      confidence: z.number().optional().describe('The lowest that is stated there'),
      source: z.string().optional(),
    }),
  )
  .describe('What the node was derived from, each followed by its own sources');

export function toBlameOutput({ commit, provenance }: Blame): z.output<typeof blameOutput> {
  const { source, confidence, extraction_method, derived_from } = provenance ?? {};
  return {
    ...(commit === null ? { collected: true } : toCommitParts(commit)),
    ...(source === undefined ? {} : { source }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(extraction_method === undefined ? {} : { extraction_method }),
    ...(derived_from === undefined ? {} : { derived_from: [...derived_from] }),
  };
}

function toCommitParts(commit: NonNullable<Blame['commit']>): z.output<typeof blameOutput> {
  const { id, seq, branch, time } = commit;
  const { actor, ...author } = authorOf(commit);
  return {
    ...{ commit_id: id, seq, ...(branch === unknownBranch ? {} : { branch }) },
    ...{ actor_id: actor, ...author, at: new Date(time).toISOString() },
  };
}

export function toNodeBlameOutput(blame: NodeBlame): z.output<typeof nodeBlameOutput> {
  const { node, type, summary, tags, props } = blame;
  return {
    ...toBlameOutput(node),
    type: toBlameOutput(type),
    ...(summary === undefined ? {} : { summary: toBlameOutput(summary) }),
    ...(tags === undefined ? {} : { tags: toBlameOutput(tags) }),
    props: Object.fromEntries([...props].map(([name, one]) => [name, toBlameOutput(one)])),
  };
}
