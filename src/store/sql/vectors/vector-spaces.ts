import type { VectorSpace } from '../../vector-store.js';
import type { Executor } from '../executor.js';
import { readNumber, readOptionalNumber, readText } from '../rows.js';
import { sql } from '../sql.js';

export async function findSpace(executor: Executor, space: VectorSpace): Promise<number | undefined> {
  const [row] = await executor.all(
    sql`select id from vector_space where model = ${space.model} and perspective = ${space.perspective} and dimension = ${space.dimension}`,
  );
  return row === undefined ? undefined : readNumber(row, 'id');
}

export async function findSpaces(executor: Executor, spaces: readonly VectorSpace[]): Promise<number[]> {
  const found = await Promise.all(spaces.map((space) => findSpace(executor, space)));
  return found.filter((id) => id !== undefined);
}

export async function spacesOfGraph(executor: Executor, graph: number): Promise<VectorSpace[]> {
  const rows = await executor.all(
    sql`select s.model, s.perspective, s.dimension from vector_space s where exists
      (select 1 from text_vector v where v.graph = ${graph} and v.space = s.id) order by s.id`,
  );
  return rows.map((row) => ({
    model: readText(row, 'model'),
    perspective: readText(row, 'perspective'),
    dimension: readNumber(row, 'dimension'),
  }));
}

/** The first number of its vectors: numbers are used once, so dropping all of them leaves another one. */
export async function spaceGeneration(
  executor: Executor,
  graph: number,
  space: VectorSpace,
): Promise<number | null> {
  const [row] = await executor.all(
    sql`select min(v.id) as first from text_vector v where v.graph = ${graph} and v.space = ${(await findSpace(executor, space)) ?? 0}`,
  );
  return row === undefined ? null : readOptionalNumber(row, 'first');
}

/** Creates the space if it does not exist; one at a time in the whole database. */
export async function ensureSpace(executor: Executor, space: VectorSpace): Promise<number> {
  const known = await findSpace(executor, space);
  if (known !== undefined) return known;
  const [row] = await executor.all(sql`select coalesce(max(id), 0) + 1 as next from vector_space`);
  const id = row === undefined ? 1 : readNumber(row, 'next');
  // Not from a query: Citus would lock the table, for which a role needs more than to insert.
  executor.insert(
    'vector_space',
    ['id', 'model', 'perspective', 'dimension'],
    [[id, space.model, space.perspective, space.dimension]],
  );
  return id;
}
