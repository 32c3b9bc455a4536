import type { SemanticHits } from '../search/search-hits.js';
import type { SimilarNodesResult } from '../search/similar/similar-nodes.js';
import type { Redactor } from './call-context.js';

export type SearchDoubts = Pick<SemanticHits, 'degraded' | 'missing' | 'waiting' | 'notReranked'> &
  Partial<Pick<SimilarNodesResult, 'warnings'>>;

export function searchWarnings(
  { degraded, missing, waiting, notReranked, warnings = [] }: SearchDoubts,
  redactor: Redactor,
): { degraded?: boolean; warnings?: string[] } {
  const also = [
    ...(notReranked === undefined ? [] : [redactor.redactText(notReranked)]),
    ...(missing === undefined ? [] : [missing]),
  ];
  if (degraded !== undefined) return { degraded: true, warnings: [redactor.redactText(degraded), ...also] };
  const said = [...(waiting === undefined ? [] : [notEmbeddedWarning(waiting)]), ...warnings, ...also];
  return said.length === 0 ? {} : { warnings: said };
}

function notEmbeddedWarning(waiting: number): string {
  const texts = waiting === 1 ? '1 observation is' : `${waiting} observations are`;
  return `${texts} not embedded yet and can be found only with mode text.`;
}
