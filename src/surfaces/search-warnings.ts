import type { SemanticHits } from '../search/search-hits.js';
import type { SimilarNodesResult } from '../search/similar/similar-nodes.js';
import type { Redactor } from './call-context.js';

export type SearchDoubts = Pick<
  SemanticHits,
  'degraded' | 'missing' | 'waiting' | 'embeddedElsewhere' | 'notReranked'
> &
  Partial<Pick<SimilarNodesResult, 'warnings'>>;

/** What texts that are not embedded yet mean for the reader of the warning. */
const notEmbeddedAdvice = {
  search: ' and can be found only by their words (mode text or hybrid).',
  people: ' and can be found only by words. A server embeds them in the background, trellis embed at once.',
  similar: ', so their nodes are not compared. The server embeds them in the background; call again later.',
};

/** The same where the store is read-only: neither this server nor a command here can embed them. */
const embeddedElsewhereAdvice = {
  search: notEmbeddedAdvice.search,
  people:
    ' and can be found only by words. The store is read-only here; texts are embedded where it can be written.',
  similar:
    ', so their nodes are not compared. The store is read-only here; texts are embedded where it can be written.',
};

export function searchWarnings(
  { degraded, missing, waiting, embeddedElsewhere, notReranked, warnings = [] }: SearchDoubts,
  redactor: Redactor,
  advice: keyof typeof notEmbeddedAdvice = 'search',
): { degraded?: boolean; warnings?: string[] } {
  const also = [
    ...(notReranked === undefined ? [] : [redactor.redactText(notReranked)]),
    ...(missing === undefined ? [] : [missing]),
  ];
  if (degraded !== undefined) return { degraded: true, warnings: [redactor.redactText(degraded), ...also] };
  const said = [
    ...(waiting === undefined
      ? []
      : [
          notEmbeddedWarning(
            waiting,
            (embeddedElsewhere ? embeddedElsewhereAdvice : notEmbeddedAdvice)[advice],
          ),
        ]),
    ...warnings,
    ...also,
  ];
  return said.length === 0 ? {} : { warnings: said };
}

function notEmbeddedWarning(waiting: number, advice: string): string {
  const texts = waiting === 1 ? '1 observation is' : `${waiting} observations are`;
  return `${texts} not embedded yet${advice}`;
}
