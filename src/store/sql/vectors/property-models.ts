import type { Executor } from '../executor.js';
import { readText } from '../rows.js';
import { sql } from '../sql.js';
import { ensureSpace } from './vector-spaces.js';

/** Rows of `embedding_progress` with this before a property's name: all its vectors are of that space. */
const propertySource = '@embed ';

export async function propertyModels(
  executor: Executor,
  graph: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = await executor.all(
    sql`select p.source, s.model from embedding_progress p join vector_space s on s.id = p.space
      where p.graph = ${graph} and p.source like ${`${propertySource}%`}`,
  );
  return new Map(
    rows.map((row) => [readText(row, 'source').slice(propertySource.length), readText(row, 'model')]),
  );
}

export async function setPropertyModel(
  executor: Executor,
  graph: number,
  property: string,
  model: string,
): Promise<void> {
  // The vectors are values of nodes, so their perspective and length are nothing to the store.
  const space = await ensureSpace(executor, { model, perspective: propertySource, dimension: 0 });
  const source = `${propertySource}${property}`;
  executor.run(sql`delete from embedding_progress where graph = ${graph} and source = ${source}`);
  executor.run(
    sql`insert into embedding_progress (graph, space, source, upto) values (${graph}, ${space}, ${source}, 0)`,
  );
}
