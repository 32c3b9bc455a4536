import type { PropertyOperand } from '../../../row-query.js';
import type { ReadContext } from '../../dialect.js';
import { newestSeq } from '../../lineage.js';
import type { QueryVariables } from '../query-variables.js';
import { propertyTextsKey } from './property-texts-key.js';
import type { StemmedTextsCache } from './stemmed-texts-cache.js';
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
  readonly stemmed?: StemmedTextsCache | undefined;
}

/** With the commits that heads are at. */
export async function textLengthKey(reading: TextReadContext, operand: PropertyOperand): Promise<string> {
  const { executor, lineage } = reading;
  const heads: number[] = [];
  for (const level of lineage.levels)
    if (level.atHead) heads.push(await newestSeq(executor, lineage.graph, level));
  return `${propertyTextsKey(reading, operand)} ${heads}`;
}
