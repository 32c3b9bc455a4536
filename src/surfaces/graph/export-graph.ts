import { z } from 'zod';
import { atLeastOne } from '../../access/permission.js';
import { exportLines } from '../../ingest/export-lines.js';
import { commitNotFound } from '../../model/commit.js';
import { asTrellisError, type ErrorCode, TrellisError } from '../../model/error.js';
import { createCallContext } from '../call-context.js';
import { observeCall, unknownTool } from '../dispatch.js';
import { withDenialReport } from '../report-denials.js';
import type { RequestContext } from '../request-context.js';
import { parseArguments } from '../tool-arguments.js';
import { branchInput, commitId } from './graph-shapes.js';

const input = z.object({
  branch: branchInput('The branch to export'),
  snapshot: commitId('A commit, instead of a branch').optional(),
});

/** How many exports there were, and of what, is to be seen like every call of a tool. */
const callName = 'export';

/** A graph as the lines that `ingest` takes, some at a time: a branch as it is now, whatever is written meanwhile, or a snapshot. */
export function exportGraph(context: RequestContext, given: unknown): Promise<AsyncGenerator<string>> {
  return withDenialReport(context, { tool: callName }, (inner) => startExport(inner, given));
}

async function startExport(context: RequestContext, given: unknown): Promise<AsyncGenerator<string>> {
  const ended = observeCall(context, callName);
  try {
    return observePages(context, await exportPages(context, parseArguments(input, callName, given)), ended);
  } catch (error) {
    ended(asTrellisError(error).code);
    throw error;
  }
}

async function exportPages(
  context: RequestContext,
  { branch, snapshot }: z.output<typeof input>,
): Promise<AsyncGenerator<string>> {
  const { graph, history, may } = createCallContext(context, callName);
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
  return pages(commit);

  /** To whoever may not export its branch, there is no such commit. */
  async function readable(id: string): Promise<string> {
    if (!may([{ action: 'export', branch: atLeastOne }])) throw unknownTool(callName);
    const found = await history.commit(id);
    if (!may([{ action: 'export', branch: found.branch }])) throw commitNotFound(id);
    return found.id;
  }

  async function* pages(at: string | null): AsyncGenerator<string> {
    const read = graph.on(name);
    for await (const { lines } of exportLines((work) =>
      read.read(async (reader) => work(await reader.at(at))),
    ))
      yield `${lines.join('\n')}\n`;
  }
}

/** The same pages; however they end, it is told, and what went wrong is reported: whoever receives them only sees them break off. */
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
