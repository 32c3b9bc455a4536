import type { SourceProblem } from './query-api.js';
import { offsetOf } from './source-position.js';

interface Props {
  readonly source: string;
  readonly problems: readonly SourceProblem[];
}

/** The text once more, unseen behind the field, with a mark where a mistake is. */
export function MarkedSource({ source, problems }: Props) {
  const parts: (string | { readonly wrong: string })[] = [];
  let done = 0;
  for (const { line, column } of problems) {
    const at = Math.min(offsetOf(source, line, column), source.length);
    if (at < done) continue;
    const { length } = /^(?:[$`@]?\w+`?|\S| )/.exec(source.slice(at))?.[0] ?? '';
    parts.push(source.slice(done, at), { wrong: source.slice(at, at + length) || ' ' });
    done = at + length;
  }
  parts.push(source.slice(done));
  return (
    <pre>
      {parts.map((part, index) => (typeof part === 'string' ? part : <mark key={index}>{part.wrong}</mark>))}
    </pre>
  );
}
