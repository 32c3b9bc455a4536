import type { PropertyOperand } from '../../../row-query.js';
import type { Executor } from '../../executor.js';
import type { Lineage } from '../../lineage.js';
import { readNumber } from '../../rows.js';
import { sql } from '../../sql.js';
import type { QueryVariables } from '../query-variables.js';

/** How many texts a property has, and their total number of words. */
export interface TextLengthTotals {
  readonly texts: number;
  readonly words: number;
}

/** A purge rewrites old commits without notice, so entries expire. */
const maxAgeMs = 60_000;
const maxEntries = 1_000;

/** Text lengths by the state they were counted in, since counting reads every text. */
export class TextLengthCache {
  readonly #kept = new Map<string, TextLengthTotals & { readonly countedAt: number }>();

  get(key: string): TextLengthTotals | undefined {
    const found = this.#kept.get(key);
    return found !== undefined && performance.now() - found.countedAt < maxAgeMs ? found : undefined;
  }

  set(key: string, length: TextLengthTotals): void {
    if (this.#kept.size >= maxEntries) this.#kept.clear();
    this.#kept.set(key, { ...length, countedAt: performance.now() });
  }
}

interface TextLengthContext {
  readonly executor: Executor;
  readonly lineage: Lineage;
  readonly variables: QueryVariables;
}

export async function textLengthKey(
  { executor, lineage: { graph, levels }, variables: { nodes, edges } }: TextLengthContext,
  { of, place, property, variable }: PropertyOperand,
): Promise<string> {
  const types = of === 'node' ? (nodes.get(variable)?.types ?? null) : (edges.get(variable)?.edge ?? null);
  const state: [branch: number, seq: number][] = [];
  for (const { branch, seq, atHead } of levels) {
    // A lineage at the head stays valid after the next commit.
    state.push([branch, atHead ? await headSeq(executor, graph, branch) : seq]);
  }
  return JSON.stringify([graph, state, of, types, place, property]);
}

async function headSeq(executor: Executor, graph: number, branch: number): Promise<number> {
  const [row] = await executor.all(
    sql`select b.head_seq from branch b where b.graph = ${graph} and b.id = ${branch}`,
  );
  return row === undefined ? 0 : readNumber(row, 'head_seq');
}
