import type { PropertyOperand } from '../../../row-query.js';
import { visible } from '../../lineage.js';
import { readNumber } from '../../rows.js';
import { and, or, raw, sql } from '../../sql.js';
import type { TextReadContext } from './text-length-cache.js';

/** With more candidates, reading all rows is as fast. */
const maxCandidates = 10_000;

/**
 * The rows that may have all of these stems, or any, by the text index; undefined if it cannot tell. The index has
 * whole nodes as they are shown, so it proposes too many, and knows nothing of marks, stamps, and the keys of some
 * nodes.
 */
export async function candidateRows(
  { executor, dialect, lineage, variables }: TextReadContext,
  { of, place, property, type, variable }: PropertyOperand,
  stems: readonly string[],
  match: 'all' | 'any',
): Promise<readonly number[] | undefined> {
  const isText =
    place === 'row'
      ? property !== 'tags' && property !== 'observations'
      : type === null || isStringType(type);
  const isShown = place === 'row' || !property.startsWith('_');
  if (of === 'edge' || place === 'provenance' || !isText || !isShown || stems.length === 0) return undefined;
  const types = variables.nodes.get(variable)?.types ?? null;
  const where = [raw('r.stub = 0')];
  if (types !== null) where.push(dialect.inList('r.type', 'text', types));
  const proposed = await dialect.textSearch.rowsWithStems(executor, lineage, {
    ...{ table: 'node_row', columns: 'r.row as found', stems, match },
    ...{ where: and(where), limit: maxCandidates + 1 },
  });
  if (proposed.length > maxCandidates) return undefined;
  const rows = proposed.map((row) => readNumber(row, 'found'));
  if (place === 'row') return rows;
  const seen = visible('node_row', 'r', lineage);
  const unindexed = [sql`r.provenance like '%merge_keys%'`];
  // Without a graph schema it may be a list, whose texts the index has with escapes, such as that of a new line.
  if (type === null) unindexed.push(sql`r.props like '%[%'`);
  const others = await executor.all(
    sql`select r.row as found from node_row r
    where (${seen}) and ${and(where)} and (${or(unindexed)}) limit ${maxCandidates + 1}`,
    { adHoc: true },
  );
  if (others.length > maxCandidates) return undefined;
  return [...new Set([...rows, ...others.map((row) => readNumber(row, 'found'))])];
}

function isStringType(type: PropertyOperand['type']): boolean {
  return type?.kind === 'scalar' && type.scalar === 'String';
}
