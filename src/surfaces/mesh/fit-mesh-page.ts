import { type FittedPage, fitPage } from '../../engine/read/fit/fit-page.js';
import type { PageRequest } from '../../engine/read/page.js';
import type { MatchedSubgraph } from '../../engine/read/with-neighbours.js';
import type { NodeWithFacts } from '../../engine/specs.js';
import type { Reader } from '../../store/reader.js';
import { type FactListOptions, factList, withReplacedTextWarning } from '../fact-list.js';
import { toMeshGraph } from './mesh-shapes.js';

/** What surrounds the data in a result; the names that were not found may be long. */
const emptyEnvelope = { actionTaken: ' '.repeat(8_192), timestamp: '' };

/** Cuts a page to what fits into one result; the limit applies to neighbours as well. */
export async function fitMeshPage(
  reader: Reader,
  name: string,
  read: (page: Pick<PageRequest, 'limit' | 'cursor'>) => Promise<MatchedSubgraph>,
  { limit, cursor }: Pick<PageRequest, 'limit' | 'cursor'>,
  estimateLimit?: FactListOptions['estimateLimit'],
): Promise<FittedPage<NodeWithFacts>> {
  const toResult: FactListOptions['toResult'] = (page) => ({ ...emptyEnvelope, data: toMeshGraph(page) });
  const list = factList({ name, read, toResult, estimateLimit });
  return withReplacedTextWarning(reader, await fitPage(reader, list, { limit, cursor, neighbours: limit }));
}
