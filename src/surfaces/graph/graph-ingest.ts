import { z } from 'zod';
import { IngestBudget } from '../../ingest/ingest-budget.js';
import { ingestModes } from '../../ingest/ingest-mode.js';
import { type IngestReport, runIngest } from '../../ingest/run-ingest.js';
import { TrellisError } from '../../model/error.js';
import type { Branch } from '../../model/graph-record.js';
import { ingestLimits, limits } from '../../model/limits.js';
import type { CallContext } from '../call-context.js';
import { unknownTool } from '../dispatch.js';
import { defineTool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import {
  branchInput,
  branchPermission,
  exactlyOne,
  ifCommitInput,
  messageInput,
  receiptMembers,
  receiptOutput,
  wellFormedText,
} from './graph-shapes.js';

const lines = wellFormedText(z.string().max(limits.requestBytes));

export const cascadeInput = z
  .boolean()
  .optional()
  .describe(
    'With overwrite: also remove edges of types that are not in the lines, if their nodes go; default: false',
  );

const input = z.object({
  ndjson: lines
    .optional()
    .describe(
      'The lines: {"type":"Person","data":{…}} for a node, {"edge":"Knows","from":"<id>","to":"<id>","data":{…}} for an edge, in any order; an "id" on an edge tells it from others of its type between the same nodes',
    ),
  data: lines.min(1).optional().describe('An alias'),
  mode: z
    .enum(ingestModes)
    .optional()
    .describe(
      'merge (default): update existing rows, the last line wins; append: an existing row is an error; overwrite: replace everything of the types that occur',
    ),
  cascade: cascadeInput,
  branch: branchInput('The branch to write to'),
  from: branchInput('If the branch does not exist, create it from this one'),
  if_commit: ifCommitInput,
  message: messageInput,
});

const loaded = z.array(z.object({ name: z.string(), loaded: z.int().min(0) }));
const removed = z.array(z.object({ name: z.string(), removed: z.int().min(0) }));

export const ingestOutput = z.object({
  branch: z.string(),
  branch_created: z.boolean(),
  mode: z.enum(ingestModes),
  nodes: loaded,
  edges: loaded,
  removed: z
    .object({ nodes: removed, edges: removed })
    .optional()
    .describe('Only with overwrite: what is gone, with the edges of nodes that are gone'),
  commit_id: z.string().nullable().describe('Null if nothing changed'),
  graph_commit_id: z.string().nullable().optional(),
  commit: receiptOutput.nullable().optional(),
});

export type IngestToolOptions = Pick<
  z.output<typeof input>,
  'mode' | 'cascade' | 'branch' | 'from' | 'if_commit' | 'message'
>;

export const graphIngest = defineTool({
  name: 'ingest',
  aliases: ['load'],
  argumentAliases: { ifCommit: 'if_commit' },
  title: 'Ingest',
  description:
    'Load many nodes and edges at once, as JSON lines. All of them become one commit; on an error, nothing is written and the message names the line. ' +
    'The id of a node is the text of its key (for a key of several properties, a JSON array); on a graph without a schema it is data.name.',
  input,
  output: ingestOutput,
  annotations: changes,
  action: branchPermission<z.output<typeof input>>('change', ({ branch }) => branch),
  async run(call, { ndjson, data, ...options }) {
    const hint = 'Put the lines into ndjson, one JSON object on each.';
    const text = exactlyOne('ingest', ['ndjson', 'data'], hint, ndjson, data);
    return ingestBytes(call, [Buffer.from(text, 'utf8')], options);
  },
});

/** Shared by all graphs and surfaces, since it bounds the memory of the process. */
const budget = new IngestBudget(ingestLimits.requestBytes);

export async function ingestBytes(
  call: CallContext,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { mode = 'merge', cascade, branch = call.graph.branch, from, if_commit, message }: IngestToolOptions,
): Promise<z.output<typeof ingestOutput>> {
  const created = await ensureBranch(call, branch, from);
  try {
    const target = call.withMessage(message).graph.on(branch).ifAt(if_commit);
    const report = await budget.use(bytes, (counted) =>
      runIngest(target, counted, {
        ...{ mode, cascade, maxBytes: ingestLimits.requestBytes },
        allowProvenance: call.may([{ action: 'graph_admin' }]),
      }),
    );
    return toIngestOutput(report, { branch, branch_created: created !== undefined, mode });
  } catch (error) {
    // A failed ingest changes nothing, so its new branch goes too.
    if (created !== undefined) await call.history.discardBranch(created);
    throw error;
  }
}

export function toIngestOutput(
  { nodes, edges, removed: gone, commit }: IngestReport,
  target: Pick<z.output<typeof ingestOutput>, 'branch' | 'branch_created' | 'mode'>,
): z.output<typeof ingestOutput> {
  return {
    ...{ ...target, nodes: [...nodes], edges: [...edges] },
    ...(gone === undefined ? {} : { removed: { nodes: [...gone.nodes], edges: [...gone.edges] } }),
    ...receiptMembers(commit),
  };
}

/** Creates a missing branch if `from` is given and the caller may; returns the branch it created. */
async function ensureBranch(
  { history, may }: CallContext,
  branch: string,
  from: string | undefined,
): Promise<Branch | undefined> {
  const names = (await history.branches()).map(({ name }) => name);
  if (names.includes(branch)) return undefined;
  if (from === undefined) {
    throw new TrellisError('BRANCH_NOT_FOUND', `There is no branch named ${JSON.stringify(branch)}.`, {
      hint: 'Create it with branches_create, or pass from to create it from another branch.',
      details: { branch },
    });
  }
  const needed = [
    { action: 'branch_create', branch },
    { action: 'read', branch: from },
  ] as const;
  // Checked before looking whether `from` exists.
  if (!may(needed)) throw unknownTool('ingest');
  return history.createBranch(branch, from);
}
