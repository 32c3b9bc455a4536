import type { Json } from '../../../../model/json.js';
import type { PropertyOperand, TextCondition } from '../../../row-query.js';
import { Vocabulary } from '../../../text/vocabulary.js';
import { touchedOnBranch } from '../../commits/touched-on-branch.js';
import type { ReadContext } from '../../dialect.js';
import { newestSeq } from '../../lineage.js';
import type { QueryVariables } from '../query-variables.js';
import { propertyTextsKey } from './property-texts-key.js';
import type { RowFilter } from './row-texts.js';

/** A purge rewrites texts without notice, so vocabularies expire. */
const maxAgeMs = 300_000;
/** Words of all vocabularies together; more are not kept. */
const maxSize = 5_000_000;
/** With more candidates, reading all rows is as fast. */
const maxCandidates = 10_000;

interface VocabularyContext extends ReadContext {
  readonly variables: QueryVariables;
}

export type ForEachText = (
  filter: Pick<RowFilter, 'rows' | 'nodes' | 'bornAfter'>,
  show: (row: number, value: Json) => void,
) => Promise<void>;

interface KeptVocabulary {
  readonly words: Vocabulary;
  readonly since: number;
  /** The commit that it was last brought up to. */
  seq: number;
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
    const kept = await bringUpToDate(reading, operand.of, isFresh ? known : undefined, forEachText);
    this.#keep(key, kept);
    return kept.words.rowsLike(condition, maxCandidates);
  }

  /** Nothing that was purged may stay. */
  clear(): void {
    this.#kept.clear();
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

/** Adds the rows of later commits. Those of a large merge may have lower numbers than rows that others wrote before it. */
async function bringUpToDate(
  reading: VocabularyContext,
  of: PropertyOperand['of'],
  known: KeptVocabulary | undefined,
  forEachText: ForEachText,
): Promise<KeptVocabulary> {
  const { executor, lineage } = reading;
  const head = await newestSeq(executor, lineage.graph, lineage.levels[0]);
  if (known !== undefined && head <= known.seq) return known;
  const touched = known === undefined ? undefined : await touchedOnBranch(reading, of, known.seq);
  if (known === undefined || touched === undefined) {
    const words = new Vocabulary();
    await forEachText({}, (row, value) => words.add(row, value));
    return { words, since: performance.now(), seq: head };
  }
  const added: (readonly [row: number, value: Json])[] = [];
  const { seq } = known;
  const which = of === 'edge' ? { rows: touched } : { nodes: touched };
  if (touched.length > 0)
    await forEachText({ ...which, bornAfter: seq }, (row, value) => added.push([row, value]));
  // Another read may have done the same meanwhile.
  if (known.seq !== seq) return known.seq >= head ? known : bringUpToDate(reading, of, known, forEachText);
  for (const [row, value] of added) known.words.add(row, value);
  known.seq = head;
  return known;
}

/** Observations are rows of their own, which change without the node's. */
function isElsewhere({ place, property }: PropertyOperand): boolean {
  return place === 'row' && property === 'observations';
}
