import { shellQuote } from '../../model/quoting.js';
import { type CompletionPlace, valueFlags } from './completion-places.js';
import { posixWalk } from './posix-walk.js';

export function bashCompletion(places: readonly CompletionPlace[]): string {
  const choices = valueFlags(places).flatMap(({ path, flag }) =>
    flag.choices.length === 0
      ? []
      : flag.names.map((name) => `      ${shellQuote(`${path} ${name}`)}) ${reply(flag.choices)} ;;`),
  );
  return `# trellis completion bash
_trellis() {
  local cur=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
${posixWalk(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  if [[ -n $flag ]]; then
    case $flag in
${choices.join('\n')}
    esac
    return
  fi
  case "$place:$cur" in
${places.map(placeCases).join('\n')}
  esac
}
complete -o bashdefault -o default -F _trellis trellis trellis-memory
`;
}

function placeCases({ path, words, flags }: CompletionPlace): string {
  const named = shellQuote(`${path}:`);
  return [
    `    ${named}-*) ${reply(flags.flatMap(({ names }) => names))} ;;`,
    ...(words.length === 0 ? [] : [`    ${named}*) ${reply(words.map(({ word }) => word))} ;;`]),
  ].join('\n');
}

function reply(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${shellQuote(words.join(' '))} -- "$cur"))`;
}
