import type { PropertyOperand } from '../../../row-query.js';
import type { ReadContext } from '../../dialect.js';
import { newestSeq } from '../../lineage.js';
import type { QueryVariables } from '../query-variables.js';
import type { VocabularyCache } from './vocabulary-cache.js';

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

export interface TextReadContext extends ReadContext {
  readonly variables: QueryVariables;
  readonly lengths?: TextLengthCache | undefined;
  readonly vocabularies?: VocabularyCache | undefined;
}

export async function textLengthKey(
  { executor, lineage: { graph, levels }, variables: { nodes, edges } }: TextReadContext,
  { of, place, property, variable }: PropertyOperand,
): Promise<string> {
  const types = of === 'node' ? (nodes.get(variable)?.types ?? null) : (edges.get(variable)?.edge ?? null);
  const state: [branch: number, seq: number][] = [];
  for (const level of levels) state.push([level.branch, await newestSeq(executor, graph, level)]);
  return JSON.stringify([graph, state, of, types, place, property]);
}
