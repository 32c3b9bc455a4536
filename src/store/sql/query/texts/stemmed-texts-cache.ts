import type { PropertyOperand } from '../../../row-query.js';
import { type StemmedText, StemmedTexts } from '../../../text/stemmed-texts.js';
import { textsIn } from '../../../text/text-matcher.js';
import { stems } from '../../../text/words.js';
import { touchedOnBranch } from '../../commits/touched-on-branch.js';
import { newestSeq } from '../../lineage.js';
import { readNumber, readText } from '../../rows.js';
import { propertyTextsKey } from './property-texts-key.js';
import type { forEachValue, RowFilter } from './row-texts.js';
import type { TextReadContext } from './text-length-cache.js';

/** A purge in another process rewrites texts without notice, so all are read again after this time. */
const maxAgeMs = 300_000;
/** Words of all properties together, four bytes each; more are not kept. */
const maxWords = 20_000_000;
const maxEntries = 1_000;

/** Passed in: a store has the cache from its start, and code for queries is loaded on demand. */
type ForEachValue = typeof forEachValue;

interface KeptTexts {
  /** Null if there are too many words. */
  readonly texts: StemmedTexts | null;
  readonly since: number;
  /** The commit that they were last brought up to. */
  seq: number;
}

/**
 * The texts of node properties on the heads of branches. Before they are used, the nodes that commits have touched since
 * are read again. Never asked within a write, whose changes may be rolled back.
 */
export class StemmedTextsCache {
  /** Least recently used first. */
  readonly #kept = new Map<string, KeptTexts>();

  /** As the read sees them, to be used before anything else is awaited; null if they are not kept in memory. */
  async texts(
    reading: TextReadContext,
    operand: PropertyOperand,
    forEach: ForEachValue,
  ): Promise<StemmedTexts | null> {
    const { executor, lineage } = reading;
    const [nearest] = lineage.levels;
    if (operand.of !== 'node' || !nearest.atHead) return null;
    const key = propertyTextsKey(reading, operand);
    const head = await newestSeq(executor, lineage.graph, nearest);
    for (;;) {
      const kept = this.#fresh(key);
      if (kept !== undefined && (kept.texts === null || kept.seq >= head)) {
        this.#keep(key, kept);
        // A read that began before the last update sees an older state.
        return kept.seq === head ? kept.texts : null;
      }
      const changed = kept === undefined ? undefined : await touchedOnBranch(reading, 'node', kept.seq);
      if (kept === undefined || changed === undefined) {
        const texts = await load(reading, operand, forEach);
        const newer = this.#fresh(key);
        if (newer !== undefined && newer.seq > head) return texts;
        this.#keep(key, { texts, since: performance.now(), seq: head });
        return texts;
      }
      const { seq } = kept;
      const present: StemmedText[] = [];
      await forEachText(reading, operand, forEach, { nodes: changed }, (text) => present.push(text));
      // Another read may have done the same meanwhile.
      if (kept.seq !== seq || kept.texts === null) continue;
      for (const node of changed) kept.texts.remove(node);
      for (const text of present) kept.texts.put(text);
      kept.seq = head;
    }
  }

  /** Nothing that was purged may stay. */
  clear(): void {
    this.#kept.clear();
  }

  #fresh(key: string): KeptTexts | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined || performance.now() - kept.since >= maxAgeMs) return undefined;
    return kept.texts?.isSparse === true ? undefined : kept;
  }

  #keep(key: string, kept: KeptTexts): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    let words = 0;
    for (const { texts } of this.#kept.values()) words += texts?.size ?? 0;
    for (const [oldest, { texts }] of this.#kept) {
      if (words <= maxWords && this.#kept.size <= maxEntries) return;
      this.#kept.delete(oldest);
      words -= texts?.size ?? 0;
    }
  }
}

/** Null if there are too many words. */
async function load(
  reading: TextReadContext,
  operand: PropertyOperand,
  forEach: ForEachValue,
): Promise<StemmedTexts | null> {
  const texts = new StemmedTexts();
  await forEachText(reading, operand, forEach, {}, (text) => {
    if (texts.size <= maxWords) texts.put(text);
  });
  return texts.size > maxWords ? null : texts;
}

async function forEachText(
  reading: TextReadContext,
  operand: PropertyOperand,
  forEach: ForEachValue,
  filter: RowFilter,
  show: (text: StemmedText) => void,
): Promise<void> {
  await forEach(reading, operand, { ...filter, columns: ['node', 'name', 'type'] }, (row, value, columns) =>
    show({
      row,
      node: readNumber(columns, 'node'),
      name: readText(columns, 'name'),
      type: readText(columns, 'type'),
      stems: textsIn(value).flatMap(stems),
    }),
  );
}
