import type { Executor } from '../../sql/executor.js';
import { readNumber } from '../../sql/rows.js';
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
      `select ${document} as document, ${columns} from ${source} r
        where r.graph = ? ${real} and r.row > coalesce((select p.upto from embedding_progress p
            where p.graph = ? and p.space = ? and p.source = '${source}'), 0)
          and not exists (select 1 from text_vector v
            where v.graph = ? and v.space = ? and v.document = ${document})
        order by r.row limit ?`,
      [graph, graph, id, graph, id, limit - found.length],
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
    executor.run('delete from embedding_progress where graph = ? and space = ? and source = ? and upto < ?', [
      graph,
      space,
      source,
      Math.floor(Math.max(...rows) / 2),
    ]);
    executor.run(
      `insert into embedding_progress (graph, space, source, upto) values (?, ?, ?, ?)
        on conflict (graph, space, source) do nothing`,
      [graph, space, source, Math.floor(Math.max(...rows) / 2)],
    );
  }
}
