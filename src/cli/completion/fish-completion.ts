import {
  type CompletionFlag,
  type CompletionPlace,
  subcommandPaths,
  valueFlags,
} from './completion-places.js';

export function fishCompletion(places: readonly CompletionPlace[]): string {
  const flags = valueFlags(places).flatMap(({ path, flag }) => flag.names.map((name) => `${path} ${name}`));
  return `# trellis completion fish
function __trellis_place
    set -l place trellis
    set -l flag
    for word in (commandline -opc)[2..]
        if set -q flag[1]
            set flag
            continue
        end
        switch "$place $word"
            case ${subcommandPaths(places).map(fishQuote).join(' ')}
                set place "$place $word"
            case ${flags.map(fishQuote).join(' ')}
                set flag $word
        end
    end
    echo $place
end
function __trellis_at
    test (__trellis_place) = "$argv"
end
complete -c trellis -e
complete -c trellis-memory -w trellis
${places.flatMap(placeLines).join('\n')}
`;
}

function placeLines({ path, words, hasSubcommands, flags }: CompletionPlace): string[] {
  const at = `complete -c trellis -n ${fishQuote(`__trellis_at ${path}`)}`;
  return [
    ...(hasSubcommands ? [`${at} -f`] : []),
    ...words.map(({ word, description }) => `${at} -a ${fishQuote(word)}${described(description)}`),
    ...flags.map((flag) => `${at} ${flagNames(flag)}${described(flag.description)}`),
  ];
}

function flagNames({ names, takesValue, choices }: CompletionFlag): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  if (choices.length > 0) flags.push(`-x -a ${fishQuote(choices.join(' '))}`);
  else if (takesValue) flags.push('-r -F');
  return flags.join(' ');
}

function described(description: string): string {
  return description === '' ? '' : ` -d ${fishQuote(description)}`;
}

function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
