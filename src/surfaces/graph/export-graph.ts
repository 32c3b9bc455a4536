import { some } from '../../access/permission.js';
import { exportLines } from '../../ingest/export-lines.js';
import { commitNotFound } from '../../model/commit.js';
import { TrellisError } from '../../model/error.js';
import { callBy } from '../call.js';
import type { Binding } from '../dispatch.js';

export interface ExportWish {
  readonly branch?: string | undefined;
  readonly snapshot?: string | undefined;
}

/** A graph as the lines that `ingest` takes, some at a time: a branch as it is now, whatever is written meanwhile, or a snapshot. */
export async function exportGraph(
  binding: Binding,
  { branch, snapshot }: ExportWish,
): Promise<AsyncGenerator<string>> {
  const { graph, history, may } = callBy(binding, 'export');
  if (branch !== undefined && snapshot !== undefined) {
    throw new TrellisError('INVALID_ARGUMENT', 'An export is of a branch or of a snapshot, not of both.', {
      hint: 'Leave one of them out.',
    });
  }
  const name = branch ?? graph.branch;
  if (snapshot === undefined && !may([{ action: 'export', branch: name }])) throw unknown();
  const commit = await (snapshot === undefined
    ? history.atHead(name, async () => undefined).then((head) => head.commit)
    : readable(snapshot));
  return pages(commit);

  /** To whoever may not export its branch, there is no such commit. */
  async function readable(id: string): Promise<string> {
    if (!may([{ action: 'export', branch: some }])) throw unknown();
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

function unknown(): TrellisError {
  return new TrellisError('UNKNOWN_TOOL', 'unknown tool');
}
