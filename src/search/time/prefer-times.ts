import { TimeSlice } from '../../bounds/time-slice.js';
import type { Reader } from '../../store/reader.js';
import type { RankedText } from '../text/rank-texts.js';
import { type TimeSpan, timeSpansIn } from './time-spans.js';

/** Only the first texts of a list are compared with the times of a query. */
const depth = 100;
/** Times further on in a text do not count: a text may have millions of characters. */
const readLength = 20_000;
/** How many times as likely a text of the time is. */
const preference = 10;
/** People write about what happened some days before. */
const graceMs = 7 * 24 * 60 * 60 * 1_000;

/**
 * Counts a text ten times that mentions a time of the query, or was written then, and sorts again. A text that mentions a
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
  const factor = ({ node, ordinal }: T) => 1 + (preference - 1) * (shares.get(`${node}/${ordinal}`) ?? 0);
  return ranked
    .map((text) => ({ ...text, score: text.score * factor(text) }))
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
