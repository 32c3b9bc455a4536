import type { Command } from 'commander';
import { checkPolicy } from './access/policy-check-command.js';
import { explainPolicy } from './access/policy-explain-command.js';
import { configOption, graphOption, jsonOption, locationOptions } from './command-options.js';

export function define(command: Command): void {
  command.addHelpText(
    'after',
    `
A policy says who may do what; what it does not allow is denied. It is written in YAML, or in Cedar if its
name ends in .cedar.

Examples:
  $ trellis policy check
  $ trellis policy check policy.yaml --cases cases.yaml
  $ trellis policy explain --actor ann --graph work --policy policy.yaml
`,
  );
  jsonOption(
    graphOption(
      configOption(
        command
          .command('check [file]')
          .description(
            'Read a policy, by default the one in force on the graph, say what is wrong with it, and try it on expected cases.',
          )
          .option(
            '--cases <path>',
            'a list of { actor, action, expect } and more; exits with 1 if one fails',
          ),
      ),
    ),
  ).action(checkPolicy);
  jsonOption(
    graphOption(
      locationOptions(
        command
          .command('explain')
          .description('Show what an actor may do on a graph, which tools it sees, and by which rule.')
          .requiredOption('--actor <name>', 'who asks')
          .option(
            '--groups <names>',
            'the groups of the actor, separated by commas (default: those of its token in the configuration)',
          )
          .option('--tenant <name>', 'the tenant of the actor (default: likewise)')
          .option('--scopes <names>', 'the scopes of its token, separated by commas (default: likewise)')
          .option('--branch <name>', 'the branch the surfaces are bound to', 'main')
          .option('--policy <path>', 'the policy (default: the one in force on the graph, or policy.yaml)'),
      ),
    ),
  ).action(explainPolicy);
}
