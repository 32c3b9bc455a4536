import { shellQuote } from '../../model/quoting.js';
import { type CompletionPlace, type CompletionWord, valueFlags } from './completion-places.js';
import { posixWalk } from './posix-walk.js';

export function zshCompletion(places: readonly CompletionPlace[]): string {
  const choices = valueFlags(places).flatMap(({ path, flag }) =>
    flag.choices.length === 0
      ? []
      : flag.names.map(
          (name) => `      ${shellQuote(`${path} ${name}`)}) compadd -- ${flag.choices.join(' ')} ;;`,
        ),
  );
  return `#compdef trellis trellis-memory
# trellis completion zsh
_trellis() {
${posixWalk(places, `"\${(@)words[2,CURRENT-1]}"`)}
  if [[ -n $flag ]]; then
    case $flag in
${[...choices, '      *) _files ;;'].join('\n')}
    esac
    return
  fi
  local -a items
  case "$place:$PREFIX" in
${places.map(placeCases).join('\n')}
  esac
  if (( \${#items} )); then _describe trellis items; else _files; fi
}
if [[ $funcstack[1] == _trellis ]]; then _trellis "$@"; else compdef _trellis trellis trellis-memory; fi
`;
}

function placeCases({ path, words, flags }: CompletionPlace): string {
  const named = shellQuote(`${path}:`);
  const flagWords = flags.flatMap(({ names, description }) => names.map((word) => ({ word, description })));
  return [
    `    ${named}-*) items=(${items(flagWords)}) ;;`,
    ...(words.length === 0 ? [] : [`    ${named}*) items=(${items(words)}) ;;`]),
  ].join('\n');
}

/** A colon separates a word from its description. */
function items(words: readonly CompletionWord[]): string {
  return words
    .map(({ word, description }) =>
      shellQuote([word.replaceAll(':', '\\:'), description].filter(Boolean).join(':')),
    )
    .join(' ');
}
