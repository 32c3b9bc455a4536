import type { Observation } from '../../model/node.js';

/** The writes that turn a node's observations into a list of texts. */
export interface ObservationEdits {
  readonly removed: readonly Observation[];
  /** At the ordinal of the text it replaces. */
  readonly replaced: readonly { readonly ordinal: number; readonly text: string }[];
  /** With new ordinals. */
  readonly appended: readonly string[];
}

/**
 * Maps a list of texts onto the existing observations, in ordinal order. Texts that keep their order keep their
 * ordinals; a changed text replaces the one at its position. There are no ordinals between two others, so from the
 * first text without a position on, all are appended.
 */
export function diffObservations(before: readonly Observation[], texts: readonly string[]): ObservationEdits {
  const anchors = longestCommon(before, texts);
  const kept = new Set<number>();
  const replaced: { ordinal: number; text: string }[] = [];
  let slot = 0;
  let next = 0;
  for (const { old, wanted } of [...anchors, { old: before.length, wanted: texts.length }]) {
    for (; next < wanted && slot < old; next++, slot++) {
      const place = before[slot];
      const text = texts[next];
      if (place === undefined || text === undefined) break;
      kept.add(slot);
      replaced.push({ ordinal: place.ordinal, text });
    }
    if (next < wanted || old === before.length) break;
    kept.add(old);
    slot = old + 1;
    next = wanted + 1;
  }
  return {
    removed: before.filter((_, index) => !kept.has(index)),
    replaced,
    appended: texts.slice(next),
  };
}

interface Anchor {
  readonly old: number;
  readonly wanted: number;
}

/** The longest common subsequence; of repeated texts, the first matches the first. */
function longestCommon(before: readonly Observation[], texts: readonly string[]): Anchor[] {
  const places = new Map<string, number[]>();
  for (const [index, { text }] of before.entries()) {
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else known.push(index);
  }
  const taken = new Map<string, number>();
  const matches: Anchor[] = [];
  for (const [wanted, text] of texts.entries()) {
    const times = taken.get(text) ?? 0;
    const old = places.get(text)?.[times];
    if (old === undefined) continue;
    taken.set(text, times + 1);
    matches.push({ old, wanted });
  }
  return longestIncreasing(matches);
}

/** By patience sorting. */
function longestIncreasing(matches: readonly Anchor[]): Anchor[] {
  interface Link {
    readonly match: Anchor;
    readonly previous: Link | undefined;
  }
  const tails: Link[] = [];
  for (const match of matches) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle]?.match.old ?? 0) < match.old) low = middle + 1;
      else high = middle;
    }
    tails[low] = { match, previous: tails[low - 1] };
  }
  const longest: Anchor[] = [];
  for (let link = tails.at(-1); link !== undefined; link = link.previous) longest.push(link.match);
  return longest.reverse();
}
