import type { CountedText } from '../../store/text/bm25.js';
import type { CountedWords } from './query-words.js';
import { type RankingSettings, rankingSettings } from './ranking-settings.js';
import type { WordRarity } from './word-rarity.js';

/** In words. */
export interface AverageLengths {
  readonly text: number;
  readonly node: number;
}

/** A node, counted for ranking. */
export interface CountedNode {
  /** Its name, type, summary and properties. */
  readonly own: CountedWords;
  readonly texts: readonly CountedWords[];
  /** Whether the texts are in the order of the node, so that those beside each other are context. */
  readonly inOrder: boolean;
  /** All of it as one text. */
  readonly times: readonly number[];
  readonly length: number;
}

export interface NodeScores {
  /** Of its name or summary; 0 if it has no word of the query. */
  readonly own: number;
  /** One per text; 0 if neither the text nor one beside it has a word of the query. */
  readonly texts: readonly number[];
}

/** How certain it is that a text is about each word: 0 if it lacks the word, towards 1 the more often it has it. */
type Presence = readonly number[];

/** A word that begins at least so many texts of a node, but not nearly all, says whose texts these are. */
const leadCount = 3;
const leadShare = 0.9;

/**
 * Ranks texts in their context. A text is about a word if it says the word itself, or its node's name does, or a text
 * beside it, each with a share: the parts are combined as probabilities, so context adds what a text lacks, and little to
 * what it says itself.
 *
 * In minutes and conversations, what Ann said precedes what was said to her: a word with which several texts of the node
 * begin counts more in these.
 */
export class ContextScorer {
  readonly #textWeights: readonly number[];
  readonly #nodeWeights: readonly number[];
  readonly #average: AverageLengths;
  readonly #settings: RankingSettings;
  readonly #doubt: Float64Array;

  constructor(rarity: WordRarity, average: AverageLengths, settings: RankingSettings = rankingSettings) {
    const weight = (value: number, word: number) =>
      rarity.isFunctionWord[word] ? value * settings.functionWordWeight : value;
    this.#textWeights = rarity.inTexts.map(weight);
    this.#nodeWeights = rarity.inNodes.map(weight);
    this.#average = average;
    this.#settings = settings;
    this.#doubt = new Float64Array(rarity.inTexts.length);
  }

  /** What a text approaches that repeats every word of the query. */
  get reach(): number {
    return this.#textWeights.reduce((sum, weight) => sum + weight, 0);
  }

  score({ own, texts, inOrder, times, length }: CountedNode): NodeScores {
    const { neighbourShare, answerShare, shortText } = this.#settings;
    const node = this.#presence({ times, length }, this.#average.node);
    const whole = node === undefined ? 0 : weightedSum(this.#nodeWeights, node);
    const name = this.#presence(own, this.#average.text);
    const leads = inOrder ? leadsOf(texts) : noLeads;
    const present = texts.map((text) => this.#presence(text, this.#average.text, leads));
    const nearby = inOrder ? present : [];
    const scores = texts.map((text, index) => {
      const itself = present[index];
      // A negative index would be looked up as a name, which is slow.
      const before = index > 0 ? nearby[index - 1] : undefined;
      const after = nearby[index + 1];
      const twoBefore = index > 1 ? nearby[index - 2] : undefined;
      const twoAfter = nearby[index + 2];
      if ((itself ?? before ?? after ?? twoBefore ?? twoAfter) === undefined) return 0;
      const brevity = text.length > shortText ? shortText / text.length : 1;
      const share = brevity * neighbourShare;
      const answers = !text.asks && texts[index - 1]?.asks === true;
      this.#doubt.fill(1);
      this.#add(itself, 1);
      this.#add(name, 1);
      this.#add(before, answers ? share + answerShare * brevity : share);
      this.#add(after, share);
      this.#add(twoBefore, share / 2);
      this.#add(twoAfter, share / 2);
      return whole + this.#belief();
    });
    return { own: name === undefined ? 0 : whole + weightedSum(this.#textWeights, name), texts: scores };
  }

  #presence(
    { times, length, lead }: CountedText & Partial<CountedWords>,
    average: number,
    leads: ReadonlySet<number> = noLeads,
  ): Presence | undefined {
    const { saturation, shortText, leadTimes } = this.#settings;
    if (isAbsent(times)) return undefined;
    // With average texts much shorter than a short one, their lengths hardly matter; with longer ones, they do.
    const norm = (saturation * (length + shortText)) / (average + shortText);
    const presence: number[] = [];
    // Counted loops, here and below: a search scores thousands of texts, and an iterator costs more than its body.
    const leading = lead !== undefined && leads.has(lead) ? lead : -1;
    for (let word = 0; word < times.length; word++) {
      const said = (times[word] ?? 0) + (word === leading ? leadTimes : 0);
      presence.push(said / (said + norm));
    }
    return presence;
  }

  #add(presence: Presence | undefined, share: number): void {
    if (presence === undefined) return;
    const part = Math.min(1, share);
    for (let word = 0; word < presence.length; word++) {
      this.#doubt[word] = (this.#doubt[word] ?? 1) * (1 - part * (presence[word] ?? 0));
    }
  }

  #belief(): number {
    let sum = 0;
    for (let word = 0; word < this.#doubt.length; word++) {
      sum += (this.#textWeights[word] ?? 0) * (1 - (this.#doubt[word] ?? 1));
    }
    return sum;
  }
}

function isAbsent(times: readonly number[]): boolean {
  for (let word = 0; word < times.length; word++) if (times[word] !== 0) return false;
  return true;
}

const noLeads: ReadonlySet<number> = new Set();

/** The words of the query that say whose texts these are. */
function leadsOf(texts: readonly CountedWords[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const { lead } of texts) if (lead !== undefined) counts.set(lead, (counts.get(lead) ?? 0) + 1);
  const isLead = (count: number) => count >= leadCount && count <= leadShare * texts.length;
  return new Set([...counts].filter(([, count]) => isLead(count)).map(([word]) => word));
}

function weightedSum(weights: readonly number[], presence: Presence): number {
  let sum = 0;
  for (let word = 0; word < presence.length; word++) sum += (weights[word] ?? 0) * (presence[word] ?? 0);
  return sum;
}
