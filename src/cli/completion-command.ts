import { Argument, type Command } from 'commander';
import { bashCompletion } from './completion/bash-completion.js';
import { type CompletionPlace, completionPlaces } from './completion/completion-places.js';
import { fishCompletion } from './completion/fish-completion.js';
import { zshCompletion } from './completion/zsh-completion.js';

const shells: Readonly<Record<string, (places: readonly CompletionPlace[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

const help = `
Prints a script that completes commands and flags when you press Tab. Generate it again after an
upgrade, or let the shell do that each time it starts.

Examples:
  $ echo 'eval "$(trellis completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(trellis completion zsh)"' >> ~/.zshrc         after the line with compinit
  $ trellis completion fish > ~/.config/fish/completions/trellis.fish
`;

export function define(command: Command): void {
  command
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(shells)))
    .addHelpText('after', help)
    .action((shell: string) => {
      // Not print, which would replace control characters.
      process.stdout.write(shells[shell]?.(completionPlaces(command.parent ?? command)) ?? '');
    });
}
