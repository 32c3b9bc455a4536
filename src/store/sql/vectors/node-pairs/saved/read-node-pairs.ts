import { TimeSlice } from '../../../../../bounds/time-slice.js';
import type { NodeChunk, NodePairsPlace } from '../../../../vector-store.js';
import type { ReadContext } from '../../../dialect.js';
import type { SqlRow } from '../../../executor.js';
import { readNumber } from '../../../rows.js';
import { sql } from '../../../sql.js';
import { decodePairs, type SavedPairs } from './saved-pairs.js';

/** Chunks read at a time. */
const batchSize = 200;

/** Which state of a graph something was brought up to. */
export interface ComparedState {
  /** Which branch of a lineage, 0 being the nearest. */
  readonly level: number;
  /** The commit. */
  readonly seq: number;
  /** The newest vector of the space. */
  readonly vector: number;
}

export interface StoredPairs extends ComparedState {
  readonly place: NodePairsPlace;
  /** Nodes up to this one were read. */
  readonly upto: number;
  readonly body: Uint8Array;
  readonly pairs: SavedPairs;
}

/** The version that is saved, null if none is. */
export async function savedVersion(
  { executor, lineage: { graph } }: ReadContext,
  { branch, space, view }: NodePairsPlace,
): Promise<number | null> {
  const [row] = await executor.all(
    sql`select p.version from node_pairs p
      where p.graph = ${graph} and p.branch = ${branch} and p.space = ${space} and p.view = ${view}`,
  );
  return row === undefined ? null : readNumber(row, 'version');
}

/** Those of a branch of the lineage; undefined if nothing is saved, or it cannot be used. */
export async function readStoredPairs(
  { executor, lineage: { graph, levels } }: ReadContext,
  { space, view }: NodePairsPlace,
  level: number,
  dimension: number,
  purges: number,
): Promise<StoredPairs | undefined> {
  const branch = levels[level]?.branch ?? 0;
  const [row] = await executor.all(
    sql`select p.seq, p.vector, p.upto, p.purges, p.body from node_pairs p
      where p.graph = ${graph} and p.branch = ${branch} and p.space = ${space} and p.view = ${view}`,
  );
  if (row === undefined || readNumber(row, 'purges') !== purges) return undefined;
  const body = readBytes(row, 'body');
  const pairs = decodePairs(body);
  if (pairs === undefined || pairs.dimension !== dimension) return undefined;
  const [seq, vector, upto] = [readNumber(row, 'seq'), readNumber(row, 'vector'), readNumber(row, 'upto')];
  return { place: { branch, space, view }, level, seq, vector, upto, body, pairs };
}

/** The bits of all nodes, some chunks at a time. */
export async function* readChunks(
  { executor, lineage: { graph } }: ReadContext,
  { branch, space, view }: NodePairsPlace,
): AsyncGenerator<NodeChunk[]> {
  const turns = new TimeSlice();
  let last = -1;
  for (;;) {
    const rows = await executor.all(
      sql`select c.chunk, c.nodes, c.bits from node_bits c where c.graph = ${graph} and c.branch = ${branch}
        and c.space = ${space} and c.view = ${view} and c.chunk > ${last} order by c.chunk limit ${batchSize}`,
    );
    const chunks = rows.map((row) => ({
      ...{ chunk: readNumber(row, 'chunk'), nodes: readBytes(row, 'nodes'), bits: readBytes(row, 'bits') },
    }));
    if (chunks.length > 0) yield chunks;
    if (rows.length < batchSize) return;
    last = chunks.at(-1)?.chunk ?? last;
    if (turns.isOver) await turns.yieldToOthers();
  }
}

/** No bytes if there is anything else, so that it counts as damaged. */
function readBytes(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  return value instanceof Uint8Array ? value : new Uint8Array();
}
