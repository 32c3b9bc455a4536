import { stems } from '../../store/text/words.js';
import { isFunctionWord } from '../text/word-rarity.js';
import type { TimeRelation } from './time-spans.js';

/** A time that a query names by what happened then: "before the move". */
export interface NamedEvent {
  readonly relation: TimeRelation;
  readonly phrase: string;
}

/** Not "during" and "when": what happened at an event is found by its words, and texts of that day only get in its way. */
const relations: Readonly<Record<string, TimeRelation>> = {
  ...{ before: 'before', 'prior to': 'before', until: 'before', till: 'before' },
  ...{ after: 'after', since: 'after' },
};
const marker = new RegExp(`\\b(?:${Object.keys(relations).join('|')})\\b`, 'gi');
/** Where the name of an event ends. */
const phraseEnd = /[.,;:!?()\n]|\b(?:what|which|who|whom|whose|where|when|why|how|did|does)\b/i;
const maxWords = 12;

/** The first event of a query that has a word to search for. */
export function eventNamedIn(query: string): NamedEvent | undefined {
  const markers = [...query.matchAll(marker)];
  for (const [at, { 0: word, index }] of markers.entries()) {
    const relation = relations[word.toLowerCase()];
    const [clause = ''] = query.slice(index + word.length, markers[at + 1]?.index).split(phraseEnd, 1);
    const phrase = clause.trim().split(/\s+/).slice(0, maxWords).join(' ');
    if (relation !== undefined && stems(phrase).some((stem) => !isFunctionWord(stem)))
      return { relation, phrase };
  }
  return undefined;
}
