import type { Command } from 'commander';
import { checkPolicy } from './access/policy-check-command.js';
import { explainPolicy } from './access/policy-explain-command.js';
import { configOption, graphOption, jsonOption, locationOptions } from './command-options.js';

const help = `
A policy says who may do what; everything else is denied. It is written in YAML, or in Cedar if the
file name ends in .cedar.

Examples:
  $ trellis policy check
  $ trellis policy check policy.yaml --cases cases.yaml
  $ trellis policy explain --actor ann --graph work --policy policy.yaml
`;

export function define(command: Command): void {
  command.addHelpText('after', help);
  jsonOption(
    graphOption(
      configOption(
        command
          .command('check')
          .argument('[file]', 'a policy (default: the one in force)')
          .description(
            'Check a policy, by default the one in force on the graph, and test it with expected cases.',
          )
          .option('--cases <path>', 'a file of expected cases; exits with 1 if one fails'),
      ),
    ),
  ).action(checkPolicy);
  jsonOption(
    graphOption(
      locationOptions(
        command
          .command('explain')
          .description('Show what an actor may do on a graph, which tools it sees, and by which rule.')
          .requiredOption('--actor <name>', 'the actor')
          .option(
            '--groups <names>',
            'the groups of the actor, separated by commas (default: from its token)',
          )
          .option('--tenant <name>', 'the tenant of the actor (default: from its token)')
          .option(
            '--scopes <names>',
            'the scopes of its token, separated by commas (default: from its token)',
          )
          .option('--branch <name>', 'the branch the surfaces are bound to', 'main')
          .option('--policy <path>', 'the policy (default: the one in force on the graph, or policy.yaml)'),
      ),
    ),
  ).action(explainPolicy);
}
