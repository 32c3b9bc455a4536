import type { Observation } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import { QueryWords } from '../text/query-words.js';
import { type RankedText, rankTexts } from '../text/rank-texts.js';
import { isFunctionWord } from '../text/word-rarity.js';
import type { NamedEvent } from './named-event.js';
import { dayOfTime, relatedSpan, type TimeSpan, timeSpansIn } from './time-spans.js';

/** What the best text and the name of its node need to have of the words that name the event. */
const leastShare = 0.5;
/** Texts with nearly the score of the best one may tell of the event as well. */
const closeShare = 0.9;
/** If more texts are that close, the name means many things. */
const maxClose = 5;

/**
 * The time that an event relates to, by the text that tells of it: a time that the text mentions, else when it was
 * written. Undefined if no text stands out.
 */
export async function findEventSpan(
  reader: Reader,
  { relation, phrase }: NamedEvent,
): Promise<TimeSpan | undefined> {
  const words = new QueryWords(phrase);
  const { ranked, nodes } = await rankTexts(reader, words);
  const first = ranked.slice(0, maxClose + 1);
  const [best] = first;
  if (best === undefined || shareOf(words, best.text, nodes.get(best.node)?.name) < leastShare)
    return undefined;
  const close = first.filter(({ score }) => score >= closeShare * best.score);
  if (close.length > maxClose) return undefined;
  const told = await observationsAbout(reader, close);
  const mentioned = told.flatMap(({ text, createdAt }) => timeSpansIn(text.slice(0, readLength), createdAt));
  const written = told[0]?.createdAt;
  const span =
    mentioned.find(({ from, to }) => Number.isFinite(to - from)) ??
    (written === undefined ? undefined : dayOfTime(written));
  return span && relatedSpan(span, relation);
}

/** Times further on in a text do not count, nor those in later observations of a node with the event's name. */
const readLength = 2_000;
const observationsOfNode = 20;

/** How many of the words that are not function words occur. */
function shareOf(words: QueryWords, ...texts: readonly (string | undefined)[]): number {
  const { times } = words.count(texts.join(' '));
  const places = words.stems.flatMap((stem, place) => (isFunctionWord(stem) ? [] : [place]));
  return places.filter((place) => (times[place] ?? 0) > 0).length / places.length;
}

/** The texts that were found, or the first observations of a node whose name was. */
async function observationsAbout(reader: Reader, found: readonly RankedText[]): Promise<Observation[]> {
  const named = found.filter(({ ordinal }) => ordinal === null).map(({ node }) => node);
  const firstOnes = await reader.observationsBetween(
    named.map((node) => ({ node, from: 1, to: observationsOfNode })),
  );
  const places = found.flatMap(({ node, ordinal, text }) =>
    ordinal === null ? firstOnes.filter((one) => one.node === node) : [{ node, ordinal, text }],
  );
  const observations = await reader.observationsOf(
    [...new Set(places.map(({ node }) => node))],
    [...new Set(places.map(({ text }) => text))],
  );
  return places.flatMap(
    ({ node, ordinal }) => observations.find((one) => one.node === node && one.ordinal === ordinal) ?? [],
  );
}
