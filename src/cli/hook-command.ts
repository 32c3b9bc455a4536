import type { Command } from 'commander';
import { defaultBriefBudget } from '../brief/assemble-brief.js';
import { hookClients } from '../hooks/hook-output.js';
import { branchOption, graphOption, locationOptions } from './command-options.js';
import type { HookOptions } from './hook/run-hook.js';

const help = `
Clients run this command; see docs/agents.md. It reads what the client says about the session
as JSON from standard input.

  session-start   prints the brief of the folder, as the client takes it into the agent's context
  checkpoint      stores which files were touched, which commits were made, and what the user said

It never fails the client: without a store, with input that it cannot read, or after a second, it
prints nothing and ends with 0. TRELLIS_HOOK_DEBUG=1 prints why on standard error.
TRELLIS_HOOK_TIMEOUT is another time in milliseconds. TRELLIS_HOOKS=off turns it off.

Examples:
  $ echo '{"cwd":"/src/shop"}' | trellis hook session-start
  $ trellis hook checkpoint --branch transcripts < input.json
`;

export function define(command: Command): void {
  command
    .argument('<event>', 'session-start or checkpoint')
    .option('--client <name>', `who runs it: ${hookClients.join(', ')}`, 'claude-code')
    .option('--budget <tokens>', 'about how long the brief may be', String(defaultBriefBudget));
  branchOption(graphOption(locationOptions(command)))
    // A wrong flag must not fail the client either: some take exit code 2 for a veto.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', help)
    .action(async (event: string, options: HookOptions) => {
      const { runHook } = await import('./hook/run-hook.js');
      await runHook(event, options);
    });
}
