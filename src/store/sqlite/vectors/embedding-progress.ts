import type { Executor } from '../../sql/executor.js';
import { readNumber } from '../../sql/rows.js';
import { raw, sql } from '../../sql/sql.js';
import type { GraphSpaceKey } from '../../sql/vectors/nearest-document-index.js';
import { readSourceText, sourceColumns, textSources } from '../../sql/vectors/text-source.js';
import { findSpace } from '../../sql/vectors/vector-spaces.js';
import type { PendingText, TextVector, VectorSpace } from '../../vector-store.js';

/** Texts of a graph without a vector in the space, oldest first. */
export async function pendingTexts(
  executor: Executor,
  graph: number,
  space: VectorSpace,
  limit: number,
): Promise<PendingText[]> {
  const id = (await findSpace(executor, space)) ?? 0;
  const found: PendingText[] = [];
  for (const source of textSources) {
    const { document, columns, real } = sourceColumns[source];
    const rows = await executor.all(
      sql`select ${raw(document)} as document, ${raw(columns)} from ${raw(source)} r
        where r.graph = ${graph} ${raw(real)} and r.row > coalesce((select p.upto from embedding_progress p
            where p.graph = ${graph} and p.space = ${id} and p.source = '${raw(source)}'), 0)
          and not exists (select 1 from text_vector v
            where v.graph = ${graph} and v.space = ${id} and v.document = ${raw(document)})
        order by r.row limit ${limit - found.length}`,
    );
    found.push(
      ...rows.map((row) => ({ document: readNumber(row, 'document'), text: readSourceText(source, row) })),
    );
    if (found.length >= limit) break;
  }
  return found;
}

/** Notes that every row up to these has its vector: only where rows become visible in the order of their numbers. */
export function advanceProgress(
  executor: Executor,
  { graph, space }: GraphSpaceKey,
  vectors: readonly TextVector[],
): void {
  for (const [parity, source] of textSources.entries()) {
    const rows = vectors.filter(({ document }) => document % 2 === parity).map(({ document }) => document);
    if (rows.length === 0) continue;
    executor.run(
      sql`delete from embedding_progress where graph = ${graph} and space = ${space} and source = ${source} and upto < ${Math.floor(Math.max(...rows) / 2)}`,
    );
    executor.run(
      sql`insert into embedding_progress (graph, space, source, upto) values (${graph}, ${space}, ${source}, ${Math.floor(Math.max(...rows) / 2)})
        on conflict (graph, space, source) do nothing`,
    );
  }
}
