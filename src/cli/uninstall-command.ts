import type { Command } from 'commander';
import { planUninstall } from '../install/plan.js';
import { type ClientOptions, chooseClients, clientOptions, targetOf } from './install/install-options.js';
import { changeClients } from './install/print-plans.js';

const help = `
Takes back what trellis install added. A file that nobody else has changed since is again what it
was, byte for byte; from any other, only the entry is removed. The memory itself is not touched.

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
  await changeClients(chosen, (name) => planUninstall(name, target), options);
}
