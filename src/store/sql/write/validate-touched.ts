import { chunksOf } from '../../../bounds/chunks.js';
import { edgeKey } from '../../../model/edge.js';
import type { Violation } from '../../../model/violation.js';
import type { TouchedItems } from '../../read-results.js';
import type { RowReader } from '../../reader.js';
import type { CompiledGraphSchema } from '../../write-validator.js';

/** Validates what commits have touched as if it had just been written. */
export async function validateTouched(
  reader: RowReader,
  schema: CompiledGraphSchema,
  { nodes, edges }: TouchedItems,
): Promise<readonly Violation[]> {
  const validator = schema.newValidator();
  for (const some of chunksOf(nodes)) {
    const there = await reader.nodesById(some);
    const known = new Set(there.map(({ id }) => id));
    // As new ones: what did not change is not looked at.
    validator.prepareNodes(there, []);
    validator.nodesRemoved(some.filter((id) => !known.has(id)));
  }
  for (const some of chunksOf(edges)) {
    const there = await reader.edgesByIdentity(some);
    const known = new Set(there.map(edgeKey));
    validator.prepareEdges(there);
    validator.edgesRemoved(some.filter((edge) => !known.has(edgeKey(edge))));
  }
  return validator.violations(reader);
}
