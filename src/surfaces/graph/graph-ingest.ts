import { z } from 'zod';
import { IngestBudget } from '../../ingest/ingest-budget.js';
import { ingestModes } from '../../ingest/ingest-mode.js';
import { runIngest } from '../../ingest/run-ingest.js';
import { TrellisError } from '../../model/error.js';
import type { Branch } from '../../model/graph-record.js';
import { ingestLimits, limits } from '../../model/limits.js';
import type { CallContext } from '../call-context.js';
import { unknownTool } from '../dispatch.js';
import { defineTool } from '../tool.js';
import { changes } from '../tool-annotations.js';
import { branchPermission } from './branch-permission.js';
import { branchInput, wellFormedText } from './graph-shapes.js';

const lines = wellFormedText(z.string().max(limits.requestBytes));

const input = z.object({
  ndjson: lines
    .optional()
    .describe(
      'The lines: {"type":"Person","data":{…}} for a node, {"edge":"Knows","from":"<id>","to":"<id>","data":{…}} for an edge, in any order',
    ),
  data: lines.min(1).optional().describe('An alias'),
  mode: z
    .enum(ingestModes)
    .optional()
    .describe(
      'merge (default): update existing rows, the last line wins; append: an existing row is an error; overwrite: replace everything of the types that occur',
    ),
  branch: branchInput('The branch to write to'),
  from: branchInput('If the branch does not exist, create it from this one'),
});

const loaded = z.array(z.object({ name: z.string(), loaded: z.int().min(0) }));

export const ingestOutput = z.object({
  branch: z.string(),
  branch_created: z.boolean(),
  mode: z.enum(ingestModes),
  nodes: loaded,
  edges: loaded,
  commit_id: z.string().nullable().describe('Null if nothing changed'),
});

/** What an ingest is asked to do, besides its lines. */
export type IngestToolOptions = Pick<z.output<typeof input>, 'mode' | 'branch' | 'from'>;

export const graphIngest = defineTool({
  name: 'ingest',
  title: 'Ingest',
  description:
    'Load many nodes and edges at once, as JSON lines. All of them become one commit; on an error, nothing is written and the message names the line. ' +
    'The id of a node is the text of its key (for a key of several properties, a JSON array); on a graph without a schema it is data.name.',
  input,
  output: ingestOutput,
  annotations: changes,
  action: branchPermission<z.output<typeof input>>('change', ({ branch }) => branch),
  async run(call, { ndjson, data, ...wish }) {
    const text = ndjson ?? data;
    if (text === undefined || (ndjson !== undefined && data !== undefined)) throw missingLines();
    return ingestBytes(call, [Buffer.from(text, 'utf8')], wish);
  },
});

/** Shared by all graphs and surfaces of the process, whose memory it is. */
const room = new IngestBudget(ingestLimits.requestBytes);

/** Ingests bytes as the tool does. */
export async function ingestBytes(
  call: CallContext,
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { mode = 'merge', branch = call.graph.branch, from }: IngestToolOptions,
): Promise<z.output<typeof ingestOutput>> {
  const made = await ensureBranch(call, branch, from);
  try {
    const target = call.graph.on(branch);
    const report = await room.use(bytes, (counted) =>
      runIngest(target, counted, {
        ...{ mode, maxBytes: ingestLimits.requestBytes },
        allowProvenance: call.may([{ action: 'graph_admin' }]),
      }),
    );
    return {
      ...{ branch, branch_created: made !== undefined, mode },
      ...{ nodes: [...report.nodes], edges: [...report.edges], commit_id: report.commit },
    };
  } catch (error) {
    // Whatever fails changes nothing, and that is a branch less too.
    if (made !== undefined) await call.history.discardBranch(made);
    throw error;
  }
}

function missingLines(): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', 'Invalid arguments for ingest: pass ndjson and nothing else.', {
    hint: 'Nothing was done. Put the lines into ndjson, one JSON object on each.',
  });
}

/** Makes a branch that is not there, if it is said what from and the caller may; answers the one it made. */
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
  // Denied like any other call, before it is looked whether there is such a branch to start from.
  if (!may(needed)) throw unknownTool('ingest');
  return history.createBranch(branch, from);
}
