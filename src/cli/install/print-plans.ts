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
  readonly file?: string;
  readonly outcome: Plan['outcome'] | 'failed';
  readonly backup?: string | undefined;
  readonly diff?: string;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string | undefined };
}

/** Plans and makes the change for each client; one that fails does not keep the others from theirs. */
export async function changeClients(
  names: readonly ClientName[],
  plan: (name: ClientName) => Promise<Plan>,
  { dryRun = false, json = false }: ClientOptions,
): Promise<void> {
  const done: Done[] = [];
  for (const client of names) {
    try {
      const planned = await plan(client);
      const { file, outcome } = planned;
      if (dryRun) done.push({ client, file, outcome, diff: unifiedDiff(planned) });
      else done.push({ client, file, outcome, backup: await applyPlan(planned) });
      if (!json) print(dryRun ? described(planned, unifiedDiff(planned)) : told(done.at(-1)));
    } catch (error) {
      const { code, message, hint } = asTrellisError(error);
      done.push({ client, outcome: 'failed', error: { code, message, hint } });
      process.exitCode = json ? 1 : reportFailure(error, false);
    }
  }
  if (json) print({ clients: done });
}

function described({ client, file, outcome }: Plan, diff: string): string {
  const { title } = clientNamed(client);
  return diff === '' ? `${title}: nothing to change in ${file} (${outcome})` : `${title}:\n${diff}`;
}

function told(done: Done | undefined): string {
  if (done === undefined) return '';
  const { title } = clientNamed(done.client);
  const backup = done.backup === undefined ? '' : `; the file as it was is in ${done.backup}`;
  switch (done.outcome) {
    case 'added':
      return `${title}: added to ${done.file}${backup}`;
    case 'replaced':
      return `${title}: changed in ${done.file}`;
    case 'removed':
      return `${title}: removed from ${done.file}`;
    case 'unchanged':
      return `${title}: already set in ${done.file}`;
    default:
      return `${title}: not set in ${done.file}`;
  }
}
