import { TimeSlice } from '../../../bounds/time-slice.js';
import type { TextLookupOptions } from '../../read-requests.js';
import type { NearText, VectorSpace } from '../../vector-store.js';
import type { ReadContext } from '../dialect.js';
import type { Fragment } from '../executor.js';
import { visible } from '../lineage.js';
import { readNumber, readOptionalNumber, readText, selectNumber } from '../rows.js';
import { and, raw, sql } from '../sql.js';
import type { NearestDocumentIndex } from './nearest-document-index.js';
import { vectorsOf } from './node-vectors.js';
import { sourceColumns, textSources } from './text-source.js';
import { findSpace } from './vector-spaces.js';

export interface VectorReadContext extends ReadContext {
  readonly nearest: NearestDocumentIndex;
}

/** Some candidates are invisible, and their order is approximate. */
const extraCandidates = 50;

export async function nearTexts(
  reads: VectorReadContext,
  space: VectorSpace,
  query: Float32Array,
  wanted: TextLookupOptions,
): Promise<NearText[]> {
  const { executor, lineage } = reads;
  const id = await findSpace(executor, space);
  if (id === undefined) return [];
  const { dimension } = space;
  const propose = await reads.nearest.forSpace(executor, { graph: lineage.graph, space: id, dimension });
  const only = wanted.node === undefined ? undefined : await documentsOf(reads, wanted.node);
  const turns = new TimeSlice();
  let near: Map<number, Omit<NearText, 'score'>> = new Map();
  for (let count = wanted.limit * 2 + extraCandidates; ; count *= 4) {
    const documents = await propose(query, count, only);
    if (turns.isOver) await turns.yieldToOthers();
    near = await visibleTexts(reads, documents, wanted);
    if (near.size >= wanted.limit || documents.length < count) break;
  }
  return (await scoreExactly(reads, id, query, near)).slice(0, wanted.limit);
}

export async function countEmbedded(reads: VectorReadContext, space: VectorSpace): Promise<number> {
  const { executor, lineage } = reads;
  const id = await findSpace(executor, space);
  if (id === undefined) return 0;
  const seen = visible('observation_row', 'r', lineage);
  return selectNumber(
    executor,
    // As sets: this stays quick with a plan from before there were vectors.
    sql`select count(*) as n from (select r.row * 2 + 1 from observation_row r where (${seen})
      intersect select v.document from text_vector v where v.graph = ${lineage.graph} and v.space = ${id}) t`,
  );
}

async function documentsOf({ executor, lineage }: VectorReadContext, node: number): Promise<number[]> {
  const found: number[] = [];
  for (const table of textSources) {
    const seen = visible(table, 'r', lineage);
    const rows = await executor.all(
      sql`select ${raw(sourceColumns[table].document)} as document from ${raw(table)} r where (${seen}) and r.node = ${node}`,
    );
    found.push(...rows.map((row) => readNumber(row, 'document')));
  }
  return found;
}

/** The visible ones of these documents, by document. */
async function visibleTexts(
  { executor, dialect, lineage }: VectorReadContext,
  documents: readonly number[],
  { types, node }: TextLookupOptions,
): Promise<Map<number, Omit<NearText, 'score'>>> {
  const ofTypes = types === undefined ? undefined : dialect.inList('n.type', 'text', types);
  const real = visible('node_row', 'n', lineage);
  const found = new Map<number, Omit<NearText, 'score'>>();
  for (const [parity, table] of textSources.entries()) {
    const own = documents.filter((document) => document % 2 === parity);
    if (own.length === 0) continue;
    const numbers = own.map((document) => Math.floor(document / 2));
    const conditions: Fragment[] = [
      dialect.inList('r.row', 'integer', numbers),
      visible(table, 'r', lineage),
      table === 'node_row' ? sql`r.stub = 0` : sql`true`,
      ...(node === undefined ? [] : [sql`r.node = ${node}`]),
    ];
    if (ofTypes !== undefined) {
      conditions.push(
        sql`exists (select 1 from node_row n where n.node = r.node and (${real}) and ${ofTypes})${raw(dialect.existsSuffix)}`,
      );
    }
    const columns = table === 'node_row' ? 'null as ordinal, r.name as text' : 'r.ordinal, r.text';
    const rows = await executor.all(
      sql`select r.row, r.node, ${raw(columns)} from ${raw(table)} r where ${and(conditions)}`,
    );
    for (const row of rows) {
      found.set(readNumber(row, 'row') * 2 + parity, {
        node: readNumber(row, 'node'),
        ordinal: readOptionalNumber(row, 'ordinal'),
        text: readText(row, 'text'),
      });
    }
  }
  return found;
}

async function scoreExactly(
  reads: VectorReadContext,
  space: number,
  query: Float32Array,
  near: ReadonlyMap<number, Omit<NearText, 'score'>>,
): Promise<NearText[]> {
  if (near.size === 0) return [];
  const scored = [...(await vectorsOf(reads, space, [...near.keys()]))].flatMap(([document, vector]) => {
    const found = near.get(document);
    return found === undefined ? [] : [{ ...found, score: dot(query, vector) }];
  });
  return scored.sort((a, b) => b.score - a.score || a.node - b.node || (a.ordinal ?? 0) - (b.ordinal ?? 0));
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let axis = 0; axis < a.length; axis++) sum += (a[axis] ?? 0) * (b[axis] ?? 0);
  return sum;
}
