import type { Command, Option } from 'commander';

export interface CompletionWord {
  readonly word: string;
  readonly description: string;
}

export interface CompletionFlag {
  /** `--json`, or `-h` and `--help`. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** What can follow the words of a command, such as `trellis graph`. */
export interface CompletionPlace {
  readonly path: string;
  /** Subcommands, or the choices of the first argument. */
  readonly words: readonly CompletionWord[];
  readonly hasSubcommands: boolean;
  readonly flags: readonly CompletionFlag[];
}

/** Every command that the help shows, the program itself first. */
export function completionPlaces(command: Command, path = command.name()): CompletionPlace[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command);
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  return [
    {
      path,
      words: [
        ...children.map((child) => ({ word: child.name(), description: help.subcommandDescription(child) })),
        ...choices.map((word) => ({ word, description: '' })),
      ],
      hasSubcommands: children.length > 0,
      flags: help.visibleOptions(command).map(completionFlag),
    },
    ...children
      .filter((child) => child.name() !== 'help')
      .flatMap((child) => completionPlaces(child, `${path} ${child.name()}`)),
  ];
}

function completionFlag({
  short,
  long,
  description,
  required,
  optional,
  argChoices,
}: Option): CompletionFlag {
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    takesValue: required || optional,
    choices: argChoices ?? [],
  };
}

/** The paths of all subcommands: these words lead on. */
export function subcommandPaths(places: readonly CompletionPlace[]): string[] {
  return places.slice(1).map(({ path }) => path);
}

/** Each flag with a value, behind the path of its command: the word that follows is no subcommand. */
export function valueFlags(places: readonly CompletionPlace[]): { path: string; flag: CompletionFlag }[] {
  return places.flatMap(({ path, flags }) =>
    flags.filter(({ takesValue }) => takesValue).map((flag) => ({ path, flag })),
  );
}
