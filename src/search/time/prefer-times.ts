import { TimeSlice } from '../../bounds/time-slice.js';
import type { Reader } from '../../store/reader.js';
import type { RankedText } from '../text/rank-texts.js';
import { type TimeSpan, timeSpansIn } from './time-spans.js';

/** Only the first texts of a list are compared with the times of a query. */
const depth = 100;
/** Times further on in a text do not count: a text may have millions of characters. */
const readLength = 20_000;
/** People write about what happened some days before. */
const graceMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * Counts a text double that mentions a time of the query, or was written then, and sorts again. A text that mentions a
 * longer time counts less: for a day, "in 2023" says little.
 */
export async function preferTimes<T extends RankedText>(
  reader: Reader,
  ranked: readonly T[],
  wanted: readonly TimeSpan[],
): Promise<readonly T[]> {
  if (wanted.length === 0) return ranked;
  const first = ranked.slice(0, depth).filter(({ ordinal }) => ordinal !== null);
  const observations = await reader.observationsOf(
    [...new Set(first.map(({ node }) => node))],
    [...new Set(first.map(({ text }) => text))],
  );
  const shares = new Map<string, number>();
  const slice = new TimeSlice();
  for (const { node, ordinal, text, createdAt } of observations) {
    if (slice.isOver) await slice.yieldToOthers();
    const spans = timeSpansIn(text.slice(0, readLength), createdAt);
    shares.set(`${node}/${ordinal}`, Math.max(...wanted.map((span) => shareOf(span, spans, createdAt))));
  }
  return ranked
    .map((text) => ({ ...text, score: text.score * (1 + (shares.get(`${text.node}/${text.ordinal}`) ?? 0)) }))
    .sort((a, b) => b.score - a.score);
}

/** From 0 to 1. */
function shareOf(wanted: TimeSpan, mentioned: readonly TimeSpan[], writtenAt: number): number {
  if (wanted.from <= writtenAt && writtenAt < wanted.to + graceMs) return 1;
  const shares = mentioned.map(({ from, to }) => {
    const shared = Math.min(to, wanted.to) - Math.max(from, wanted.from);
    return shared <= 0 || to - from === Number.POSITIVE_INFINITY ? 0 : shared / (to - from);
  });
  return Math.max(0, ...shares);
}
