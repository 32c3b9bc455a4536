import { stems } from '../store/text/words.js';

const maxSentences = 3;
const maxSentenceLength = 300;
/**
 * Of a longer text only the first and last sentences are compared: they say what it is about and its current state.
 */
const maxComparedSentences = 400;
const maxComparedLength = 2_000;
/** Two sentences more similar than this are duplicates. */
const duplicateSimilarity = 0.7;

interface Sentence {
  readonly text: string;
  readonly words: ReadonlyMap<string, number>;
}

/** The sentences most similar to all the others, in their order; null if there are none. */
export function draftSummary(texts: readonly string[]): string | null {
  const sentences = firstAndLast(texts.flatMap(sentencesOf)).map((text) => ({
    text,
    words: termVector(text),
  }));
  const centre = sumVectors(sentences);
  const chosen: Sentence[] = [];
  const central = sentences
    .map((sentence) => ({ sentence, centrality: cosine(sentence.words, centre) }))
    .sort((a, b) => b.centrality - a.centrality);
  for (const { sentence } of central) {
    if (chosen.length === maxSentences) break;
    if (chosen.every((other) => cosine(sentence.words, other.words) <= duplicateSimilarity))
      chosen.push(sentence);
  }
  if (chosen.length === 0) return null;
  const kept = new Set(chosen);
  return sentences
    .filter((sentence) => kept.has(sentence))
    .map(({ text }) => endSentence(text))
    .join(' ');
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function firstAndLast(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= maxComparedSentences) return sentences;
  return [...sentences.slice(0, maxComparedSentences / 2), ...sentences.slice(-maxComparedSentences / 2)];
}

/** The stems of a sentence with their counts, as a vector of length 1. */
function termVector(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const stem of stems(text.slice(0, maxComparedLength).toWellFormed()))
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  let squares = 0;
  for (const count of counts.values()) squares += count * count;
  const length = Math.sqrt(squares);
  for (const [stem, count] of counts) counts.set(stem, count / length);
  return counts;
}

function sumVectors(sentences: readonly Sentence[]): Map<string, number> {
  const total = new Map<string, number>();
  for (const { words } of sentences) {
    for (const [stem, weight] of words) total.set(stem, (total.get(stem) ?? 0) + weight);
  }
  return total;
}

/** Only good for ranking: `b` is not normalized, because it is the same in all comparisons. */
function cosine(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let product = 0;
  for (const [stem, weight] of a) product += weight * (b.get(stem) ?? 0);
  return product;
}

function endSentence(text: string): string {
  if (text.length > maxSentenceLength) return `${text.slice(0, maxSentenceLength).toWellFormed().trimEnd()}…`;
  return /[.!?。！？…]$/u.test(text) ? text : `${text}.`;
}
