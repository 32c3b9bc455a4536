import type { Reader } from '../../store/reader.js';
import { findEventSpan } from './event-span.js';
import { eventNamedIn } from './named-event.js';
import { type TimeSpan, timeSpansIn } from './time-spans.js';

/** The times that a query mentions, or else that of an event it names, which costs a search. */
export async function wantedTimes(reader: Reader, query: string, now: number): Promise<readonly TimeSpan[]> {
  const mentioned = timeSpansIn(query, now);
  const event = mentioned.length === 0 ? eventNamedIn(query) : undefined;
  const span = event && (await findEventSpan(reader, event));
  return span === undefined ? mentioned : [span];
}
