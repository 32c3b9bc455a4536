import type { Executor } from '../sql/executor.js';
import { integer } from '../sql/rows.js';
import { findSpace, textOf, textSources } from '../sql/sql-vectors.js';
import type { PendingText, VectorSpace } from '../vectors.js';

/**
 * Texts of a graph without a vector in the space, oldest first. Which they are is asked as a difference of two sets, and
 * what they say afterwards: a plan is made once, when there may be no vectors yet, and these two stay quick as they grow.
 */
export async function pendingTexts(
  executor: Executor,
  graph: number,
  space: VectorSpace,
  limit: number,
): Promise<PendingText[]> {
  const id = (await findSpace(executor, space)) ?? 0;
  const found: PendingText[] = [];
  for (const { source, document, columns, real } of textSources) {
    const missing = await executor.all(
      `select m.document from (select ${document} as document from ${source} r where r.graph = ? ${real}
          except select v.document from text_vector v where v.graph = ? and v.space = ?) m
        order by m.document limit ?`,
      [graph, graph, id, limit - found.length],
    );
    if (missing.length === 0) continue;
    const rows = await executor.all(
      `select ${document} as document, ${columns} from ${source} r
        where r.graph = ? and r.row = any(?::bigint[]) order by r.row`,
      [graph, missing.map((row) => Math.floor(integer(row, 'document') / 2))],
    );
    found.push(...rows.map((row) => ({ document: integer(row, 'document'), text: textOf(source, row) })));
    if (found.length >= limit) break;
  }
  return found;
}
