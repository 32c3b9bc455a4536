import { type FittedPage, fitPage } from '../../engine/read/fit/fit-page.js';
import type { PageRequest } from '../../engine/read/page.js';
import type { MatchedSubgraph } from '../../engine/read/with-neighbours.js';
import type { NodeWithFacts } from '../../engine/specs.js';
import type { Reader } from '../../store/reader.js';
import { type FactListOptions, factList } from '../fact-list.js';
import { withReplacedTextWarning } from '../replaced-text-warning.js';
import { toMeshGraph } from './mesh-shapes.js';

/** What stands around the data in an answer; the names that were not found may be long. */
const emptyEnvelope = { actionTaken: ' '.repeat(8_192), timestamp: '' };

/** Reads a page of a list, and cuts it to what one answer has room for; a limit is one of neighbours as well. */
export async function fitMeshPage(
  reader: Reader,
  name: string,
  read: (page: Pick<PageRequest, 'limit' | 'cursor'>) => Promise<MatchedSubgraph>,
  { limit, cursor }: Pick<PageRequest, 'limit' | 'cursor'>,
  options: Pick<FactListOptions, 'guess'> = {},
): Promise<FittedPage<NodeWithFacts>> {
  const answer: FactListOptions['answer'] = (page) => ({ ...emptyEnvelope, data: toMeshGraph(page) });
  const list = factList({ name, read, answer, ...options });
  return withReplacedTextWarning(reader, await fitPage(reader, list, { limit, cursor, neighbours: limit }));
}
