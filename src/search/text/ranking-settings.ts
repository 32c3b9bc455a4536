/** What ranking by words depends on. */
export interface RankingSettings {
  /** Higher: repeats of a word count more. */
  readonly saturation: number;
  /** In words. Up to this length a text needs its context, and its length matters little; a longer one needs less. */
  readonly shortText: number;
  /** What the texts beside a text add; those two positions away add half. */
  readonly neighbourShare: number;
  /** What a question adds to the text after it, unless that asks too. */
  readonly answerShare: number;
  /** How many more occurrences a word counts as that says whose text it is; see `ContextScorer`. */
  readonly leadTimes: number;
  /** What function words weigh, compared to other words that are as rare. */
  readonly functionWordWeight: number;
}

/** Chosen with `node bench/retrieval.js FILE... --tune words`; see docs/search.md. */
export const rankingSettings: RankingSettings = {
  saturation: 2,
  shortText: 80,
  neighbourShare: 0.25,
  answerShare: 0.5,
  leadTimes: 2,
  functionWordWeight: 0.5,
};
