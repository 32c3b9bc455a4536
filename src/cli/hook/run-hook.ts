import { localActor } from '../../access/actor.js';
import { defaultBriefBudget } from '../../brief/assemble-brief.js';
import { projectNames } from '../../brief/project-names.js';
import { Graph } from '../../engine/graph.js';
import { type HookInput, parseHookInput } from '../../hooks/hook-input.js';
import { sessionStartOutput } from '../../hooks/hook-output.js';
import { readStdin, readTail } from '../../hooks/read-bounded.js';
import { authorOf } from '../../model/commit.js';
import { reasonOf } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { hiddenRegistry } from '../../store/graph-targets.js';
import type { CommonOptions } from '../command-options.js';
import { withGraph } from '../history/with-graph.js';

export interface HookOptions extends CommonOptions {
  readonly client: string;
  readonly budget: string;
}

/** After this many milliseconds the client goes on without us. */
const defaultTimeout = 1_000;
const maxInputBytes = 1_000_000;
const maxTranscriptBytes = 2_000_000;

/** Never fails, whatever happens. */
export async function runHook(event: string, options: HookOptions): Promise<void> {
  if (process.env['TRELLIS_HOOKS'] === 'off') return;
  const timeout = Number(process.env['TRELLIS_HOOK_TIMEOUT']) || defaultTimeout;
  const giveUp = setTimeout(() => process.exit(0), timeout);
  try {
    const input = parseHookInput(await readStdin(maxInputBytes));
    if (event === 'session-start') await printBrief(input, options);
    else if (event === 'checkpoint') await storeCheckpoint(input, options);
  } catch (error) {
    if (process.env['TRELLIS_HOOK_DEBUG'] === '1') process.stderr.write(`trellis hook: ${reasonOf(error)}\n`);
  } finally {
    clearTimeout(giveUp);
  }
}

async function printBrief({ folder = process.cwd() }: HookInput, options: HookOptions): Promise<void> {
  const { briefText } = await import('../brief-command.js');
  const budget = Number(options.budget);
  const brief = await briefText({
    ...options,
    for: folder,
    budget: Number.isSafeInteger(budget) && budget > 0 ? budget : defaultBriefBudget,
  });
  if (brief !== '') process.stdout.write(`${sessionStartOutput(options.client, brief)}\n`);
}

async function storeCheckpoint(input: HookInput, options: HookOptions): Promise<void> {
  const { session, transcript, folder = process.cwd() } = input;
  if (session === undefined || transcript === undefined) return;
  const { sessionNote } = await import('../../hooks/session-note.js');
  const texts = sessionNote(await readTail(transcript, maxTranscriptBytes), folder);
  if (texts.length === 0) return;
  const { storeNote } = await import('../../hooks/store-note.js');
  const projects = await projectNames(folder);
  await withGraph(options, async (store, name) => {
    const { branch = mainBranch } = options;
    if (branch !== mainBranch && !(await store.branches(name)).some((one) => one.name === branch))
      await store.createBranch(name, branch, mainBranch);
    const graph = new Graph(store, name, { branch, registry: hiddenRegistry });
    const author = authorOf({ actor: localActor().id, tool: 'hook', client: options.client });
    await storeNote(graph, author, { session, texts, projects });
  });
}
