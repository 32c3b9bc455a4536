import { shellQuote } from '../../model/quoting.js';
import { type CompletionPlace, subcommandPaths, valueFlags } from './completion-places.js';

/**
 * Finds the command in the words before the cursor, in bash and zsh: `place` becomes its path, and `flag` the flag whose
 * value is being typed.
 */
export function posixWalk(places: readonly CompletionPlace[], words: string): string {
  const pattern = (texts: readonly string[]) => texts.map(shellQuote).join('|');
  const flags = valueFlags(places).flatMap(({ path, flag }) => flag.names.map((name) => `${path} ${name}`));
  return `  local place=trellis flag='' word
  for word in ${words}; do
    if [[ -n $flag ]]; then flag=''; continue; fi
    case "$place $word" in
      ${pattern(subcommandPaths(places))}) place="$place $word" ;;
      ${pattern(flags)}) flag="$place $word" ;;
    esac
  done`;
}
