import { applyPlan } from '../../install/apply-plan.js';
import { type ClientName, clientNamed } from '../../install/clients.js';
import type { Plan } from '../../install/plan.js';
import { unifiedDiff } from '../../install/unified-diff.js';
import { asTrellisError } from '../../model/error.js';
import { print } from '../print.js';
import { reportFailure } from '../report-failure.js';
import type { ClientOptions } from './install-options.js';

interface Done {
  readonly client: ClientName;
  readonly what?: Plan['what'];
  readonly file?: string;
  readonly outcome: Plan['outcome'] | 'failed';
  readonly backup?: string | undefined;
  readonly diff?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined };
}

/** Plans and makes the changes for each client, one after the other; one that fails does not keep the others from theirs. */
export async function changeClients(
  names: readonly ClientName[],
  plans: readonly ((name: ClientName) => Promise<Plan | undefined>)[],
  { dryRun = false, json = false }: ClientOptions,
): Promise<void> {
  const done: Done[] = [];
  for (const client of names) {
    try {
      for (const plan of plans) {
        const planned = await plan(client);
        if (planned === undefined) continue;
        const { file, outcome, what } = planned;
        const change = { client, ...(what === undefined ? {} : { what }), file, outcome };
        if (dryRun) done.push({ ...change, diff: unifiedDiff(planned) });
        else done.push({ ...change, backup: await applyPlan(planned) });
        if (!json) print(dryRun ? described(planned, unifiedDiff(planned)) : told(done.at(-1)));
      }
    } catch (error) {
      const { code, message, hint } = asTrellisError(error);
      done.push({ client, outcome: 'failed', error: { code, message, hint } });
      process.exitCode = json ? 1 : reportFailure(error, false);
    }
  }
  if (json) print({ clients: done });
}

/** For example `Claude Code hooks`. */
function titleOf({ client, what }: Pick<Plan, 'client' | 'what'>): string {
  return [clientNamed(client).title, what].filter(Boolean).join(' ');
}

function described(plan: Plan, diff: string): string {
  const { file, outcome } = plan;
  const title = titleOf(plan);
  return diff === '' ? `${title}: nothing to change in ${file} (${outcome})` : `${title}:\n${diff}`;
}

function told(done: Done | undefined): string {
  if (done === undefined) return '';
  const title = titleOf(done);
  const backup = done.backup === undefined ? '' : `; the file as it was is in ${done.backup}`;
  switch (done.outcome) {
    case 'added':
      return `${title}: added to ${done.file}${backup}`;
    case 'replaced':
      return `${title}: changed in ${done.file}${backup}`;
    case 'removed':
      return `${title}: removed from ${done.file}`;
    case 'unchanged':
      return `${title}: already set in ${done.file}`;
    default:
      return `${title}: not set in ${done.file}`;
  }
}
