import type { Executor } from '../../sql/executor.js';
import { readNumber } from '../../sql/rows.js';
import { raw, sql } from '../../sql/sql.js';
import type { GraphSpaceKey } from '../../sql/vectors/nearest-document-index.js';
import {
  readSourceText,
  sourceColumns,
  type TextSource,
  textSources,
} from '../../sql/vectors/text-source.js';
import { countPurges } from '../../sql/vectors/text-vectors.js';
import { findSpace } from '../../sql/vectors/vector-spaces.js';
import type { PendingText, VectorSpace } from '../../vector-store.js';

type StoredText = Omit<PendingText, 'purges'>;

/** Finding documents without a vector looks at all of them, however few are wanted, so many are listed. */
const lookupBatchSize = 20_000;

/**
 * The texts that have no vector in a space, oldest first. Rows become visible in another order than that of their numbers,
 * so no row number can mark progress; instead a list is looked up for many batches, and again at its end.
 */
export class PendingTextQueue {
  /** By graph, space and source. */
  readonly #lists = new Map<string, number[]>();

  /** Returns the same texts again until they get vectors. */
  async take(executor: Executor, graph: number, space: VectorSpace, limit: number): Promise<PendingText[]> {
    const key: GraphSpaceKey = { graph, space: (await findSpace(executor, space)) ?? 0 };
    // Before the texts: those of a purge that comes between are then embedded again.
    const purges = await countPurges(executor, graph);
    const found: StoredText[] = [];
    for (const source of textSources) {
      found.push(...(await this.#takeOf(executor, key, source, limit - found.length)));
      if (found.length >= limit) break;
    }
    return found.map((text) => ({ ...text, purges }));
  }

  async #takeOf(
    executor: Executor,
    key: GraphSpaceKey,
    source: TextSource,
    limit: number,
  ): Promise<StoredText[]> {
    const listKey = `${key.graph} ${key.space} ${source}`;
    const listed = this.#lists.get(listKey) ?? [];
    for (let at = 0; at < listed.length; at += limit) {
      const found = await textsWithoutVector(executor, key, source, listed.slice(at, at + limit));
      if (found.length === 0) continue;
      this.#lists.set(listKey, listed.slice(at));
      return found;
    }
    const missing = await documentsWithoutVector(executor, key, source);
    if (missing.length > limit) this.#lists.set(listKey, missing);
    else this.#lists.delete(listKey);
    return textsWithoutVector(executor, key, source, missing.slice(0, limit));
  }
}

/** A set difference: the plan is made once, when there may be no vectors yet, and this one stays fast as they grow. */
async function documentsWithoutVector(
  executor: Executor,
  { graph, space }: GraphSpaceKey,
  source: TextSource,
): Promise<number[]> {
  const { document, real } = sourceColumns[source];
  const rows = await executor.all(
    sql`select m.document from (select ${raw(document)} as document from ${raw(source)} r where r.graph = ${graph} ${raw(real)}
        except select v.document from text_vector v where v.graph = ${graph} and v.space = ${space}) m
      order by m.document limit ${lookupBatchSize}`,
  );
  return rows.map((row) => readNumber(row, 'document'));
}

/** Those of the documents that exist and have no vector. */
async function textsWithoutVector(
  executor: Executor,
  { graph, space }: GraphSpaceKey,
  source: TextSource,
  documents: readonly number[],
): Promise<StoredText[]> {
  if (documents.length === 0) return [];
  const { document, columns } = sourceColumns[source];
  const [rows, embedded] = await Promise.all([
    executor.all(
      sql`select ${raw(document)} as document, ${raw(columns)} from ${raw(source)} r
        where r.graph = ${graph} and r.row = any(${documents.map((one) => Math.floor(one / 2))}::bigint[]) order by r.row`,
    ),
    executor.all(
      sql`select v.document from text_vector v where v.graph = ${graph} and v.space = ${space} and v.document = any(${documents}::bigint[])`,
    ),
  ]);
  const done = new Set(embedded.map((row) => readNumber(row, 'document')));
  return rows
    .map((row) => ({ document: readNumber(row, 'document'), text: readSourceText(source, row) }))
    .filter((text) => !done.has(text.document));
}
