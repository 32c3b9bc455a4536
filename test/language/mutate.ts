import type { Random } from '../../bench/lib/random.js';
import type { FuzzedLanguage } from './languages.js';

/** A text made of one that is sound by a few changes that somebody who mistypes, or means harm, could make. */
export function mutated({ texts, words }: FuzzedLanguage, random: Random): string {
  let text = random.pick(texts);
  for (let times = random.below(6); times >= 0; times -= 1) text = changed(text, texts, words, random);
  return text;
}

function changed(text: string, texts: readonly string[], words: readonly string[], random: Random): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + random.below(random.pick([2, 10, 100])));
  const part = text.slice(at, end);
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, at) + random.pick(words) + text.slice(at);
    case 2:
      return text.slice(0, at) + random.pick(words) + text.slice(end);
    case 3:
      return text.slice(0, end) + part.repeat(1 + random.below(3)) + text.slice(end);
    case 4:
      return text.slice(0, at) + String.fromCharCode(random.below(0x10000)) + text.slice(at);
    case 5: {
      const other = random.pick(texts);
      return text.slice(0, at) + other.slice(random.below(other.length + 1));
    }
    default:
      return text.slice(0, at) + random.pick(words).repeat(random.pick([2, 50, 500])) + text.slice(at);
  }
}
