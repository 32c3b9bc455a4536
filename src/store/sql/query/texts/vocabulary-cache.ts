import type { Json } from '../../../../model/json.js';
import type { PropertyOperand, TextCondition } from '../../../row-query.js';
import { Vocabulary } from '../../../text/vocabulary.js';
import type { ReadContext } from '../../dialect.js';
import { newestSeq } from '../../lineage.js';
import type { QueryVariables } from '../query-variables.js';
import { propertyTextsKey } from './property-texts-key.js';

/** A purge rewrites texts without notice, so vocabularies expire. */
const maxAgeMs = 300_000;
/** Words of all vocabularies together; more are not kept. */
const maxSize = 5_000_000;
/** With more candidates, reading all rows is as fast. */
const maxCandidates = 10_000;

interface VocabularyContext extends ReadContext {
  readonly variables: QueryVariables;
}

/** Shows the texts of all rows after one. */
export type ForEachText = (after: number, show: (row: number, value: Json) => void) => Promise<void>;

interface KeptVocabulary {
  readonly words: Vocabulary;
  readonly since: number;
  /** The newest row that it has. */
  upto: number;
  /** The commits it was last brought up to. */
  state: string;
}

/**
 * The words of properties on the heads of branches. Rows never change, so a vocabulary only grows: it proposes rows, and
 * those that are visible decide. It is made when a property is asked for the second time.
 */
export class VocabularyCache {
  readonly #asked = new Set<string>();
  readonly #kept = new Map<string, KeptVocabulary>();

  /** The rows that may have almost these words; undefined if all rows have to be read. */
  async candidates(
    reading: VocabularyContext,
    condition: TextCondition,
    forEachText: ForEachText,
  ): Promise<readonly number[] | undefined> {
    const { operand } = condition;
    const [nearest] = reading.lineage.levels;
    if (!nearest.atHead || isElsewhere(operand)) return undefined;
    const key = propertyTextsKey(reading, operand);
    const known = this.#kept.get(key);
    if (known === undefined && !this.#asked.has(key)) {
      if (this.#asked.size >= 1_000) this.#asked.clear();
      this.#asked.add(key);
      return undefined;
    }
    const isFresh = known !== undefined && performance.now() - known.since < maxAgeMs;
    const kept = isFresh ? known : { words: new Vocabulary(), since: performance.now(), upto: 0, state: '' };
    await this.#update(reading, kept, forEachText);
    this.#keep(key, kept);
    return kept.words.rowsLike(condition, maxCandidates);
  }

  /** Nothing that was purged may stay. */
  clear(): void {
    this.#kept.clear();
  }

  async #update(
    { executor, lineage }: VocabularyContext,
    kept: KeptVocabulary,
    forEachText: ForEachText,
  ): Promise<void> {
    const state = `${await newestSeq(executor, lineage.graph, lineage.levels[0])}`;
    if (kept.state === state) return;
    let newest = kept.upto;
    await forEachText(kept.upto, (row, value) => {
      newest = Math.max(newest, row);
      kept.words.add(row, value);
    });
    kept.upto = Math.max(kept.upto, newest);
    kept.state = state;
  }

  #keep(key: string, kept: KeptVocabulary): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    let size = 0;
    for (const { words } of this.#kept.values()) size += words.size;
    for (const [oldest, { words }] of this.#kept) {
      if (size <= maxSize) return;
      this.#kept.delete(oldest);
      size -= words.size;
    }
  }
}

/** Observations are rows of their own, which change without the node's. */
function isElsewhere({ place, property }: PropertyOperand): boolean {
  return place === 'row' && property === 'observations';
}
