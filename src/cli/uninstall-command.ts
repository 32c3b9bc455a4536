import type { Command } from 'commander';
import type { ClientName } from '../install/clients.js';
import { isHookClient } from '../install/hooks/hook-files.js';
import { planHooksRemoval } from '../install/hooks/plan-hooks.js';
import { planUninstall } from '../install/plan.js';
import { type ClientOptions, chooseClients, clientOptions, targetOf } from './install/install-options.js';
import { changeClients } from './install/print-plans.js';

const help = `
Takes back what trellis install added. A file that nobody else has changed since is again what it
was, byte for byte; from any other, only the entry is removed. Hooks are removed as well. The
memory itself is not touched.

Examples:
  $ trellis uninstall claude-code
  $ trellis uninstall --all --dry-run
`;

export function define(command: Command): void {
  clientOptions(command).addHelpText('after', help).action(run);
}

async function run(names: readonly string[], options: ClientOptions): Promise<void> {
  const target = targetOf(options);
  const chosen = await chooseClients(names, options, target.machine);
  const removeHooks = async (name: ClientName) =>
    isHookClient(name) ? planHooksRemoval(name, target) : undefined;
  // The hooks went in last, so they go out first.
  await changeClients(chosen, [removeHooks, (name) => planUninstall(name, target)], options);
}
