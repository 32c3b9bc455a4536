import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { checkExportedTypes, exportLines } from '../../ingest/export-lines.js';
import { commitNotFound } from '../../model/commit.js';
import { asTrellisError, type ErrorCode, TrellisError } from '../../model/error.js';
import { limits } from '../../model/limits.js';
import type { Reader } from '../../store/reader.js';
import { createCallContext } from '../call-context.js';
import { storedName } from '../common-shapes.js';
import { observeCall, unknownTool } from '../dispatch.js';
import { withDenialReport } from '../report-denials.js';
import type { RequestContext } from '../request-context.js';
import { parseArguments } from '../tool-arguments.js';
import { branchInput, commitId } from './graph-shapes.js';

export const exportInput = z.object({
  branch: branchInput('The branch to export'),
  snapshot: commitId('A commit, instead of a branch').optional(),
  ids: z
    .boolean()
    .optional()
    .describe('Write the id of every node, and the key of an edge as its id; default: false'),
  type_names: z
    .array(storedName)
    .max(limits.batchItems)
    .optional()
    .describe('Only nodes and edges of these types; default: all'),
});

/** Exports are counted like calls of a tool. */
const callName = 'export';

/** The lines that `ingest` takes: of a branch as it is now, whatever is written meanwhile, or of a snapshot. */
export function exportGraph(context: RequestContext, given: unknown): Promise<AsyncGenerator<string>> {
  return withDenialReport(context, { tool: callName }, (inner) => startExport(inner, given));
}

async function startExport(context: RequestContext, given: unknown): Promise<AsyncGenerator<string>> {
  const ended = observeCall(context, callName);
  try {
    return observePages(
      context,
      await exportPages(context, parseArguments(exportInput, callName, given)),
      ended,
    );
  } catch (error) {
    ended(asTrellisError(error).code);
    throw error;
  }
}

async function exportPages(
  context: RequestContext,
  { branch, snapshot, ids, type_names: types }: z.output<typeof exportInput>,
): Promise<AsyncGenerator<string>> {
  const { graph, history, may } = createCallContext(context, { name: callName });
  if (branch !== undefined && snapshot !== undefined) {
    throw new TrellisError('INVALID_ARGUMENT', 'An export takes a branch or a snapshot, not both.', {
      hint: 'Leave one of them out.',
    });
  }
  const name = branch ?? graph.branch;
  if (snapshot === undefined && !may([{ action: 'export', branch: name }])) throw unknownTool(callName);
  const commit = await (snapshot === undefined
    ? history.readHead(name, async () => undefined).then((head) => head.commit)
    : readable(snapshot));
  const read = <T>(work: (reader: Reader) => Promise<T>) =>
    graph.on(name).read(async (reader) => work(await reader.at(commit)));
  if (types !== undefined) checkExportedTypes(await read((reader) => reader.schema()), types);
  return pages();

  /** A commit on a branch that the caller may not export does not exist for them. */
  async function readable(id: string): Promise<string> {
    if (!may([{ action: 'export', branch: atLeastOne }])) throw unknownTool(callName);
    const found = await history.commit(id);
    if (!may([{ action: 'export', branch: found.branch }])) throw commitNotFound(id);
    return found.id;
  }

  async function* pages(): AsyncGenerator<string> {
    const exported = exportLines(read, { ids, types: types?.length === 0 ? undefined : types });
    for await (const { lines } of exported) yield `${lines.join('\n')}\n`;
  }
}

/** Reports how the pages end and any error: the receiver only sees them break off. */
async function* observePages(
  { report }: RequestContext,
  pages: AsyncGenerator<string>,
  ended: (code?: ErrorCode) => void,
): AsyncGenerator<string> {
  let code: ErrorCode | undefined = 'CANCELLED';
  try {
    yield* pages;
    code = undefined;
  } catch (error) {
    report(error);
    code = asTrellisError(error).code;
    throw error;
  } finally {
    ended(code);
  }
}
