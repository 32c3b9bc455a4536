// @ts-check
// Which settings rank texts best by words: tries many on all sets at once, and says how far the choice can be trusted.

import { rankOrder, scoreGathered } from '../../dist/search/text/rank-texts.js';
import { rankingSettings } from '../../dist/search/text/ranking-settings.js';
import {
  anyAtTen,
  bestTrial,
  crossValidate,
  margin,
  meanReciprocalRank,
  objective,
} from './cross-validation.js';
import { depth, judgeQuestions } from './gathered-questions.js';
import { randomFrom } from './random.js';
import { mean } from './statistics.js';
import { table } from './table.js';

/**
 * @typedef {import('../../dist/search/text/ranking-settings.js').RankingSettings} RankingSettings
 * @typedef {import('./cross-validation.js').JudgedSet} JudgedSet
 * @typedef {{ label: string, settings: RankingSettings }} Trial
 */

const randomTrials = 12;
const names = /** @type {(keyof RankingSettings & string)[]} */ (Object.keys(rankingSettings));
/** Cannot be switched off. */
const needed = new Set(['saturation', 'shortText']);
/** Shares of a whole. */
const atMostOne = new Set(['neighbourShare', 'answerShare', 'functionWordWeight']);

/** @param {readonly import('./retrieval-set.js').RetrievalSet[]} sets */
export async function tune(sets) {
  const trials = allTrials();
  const judged = [];
  for (const set of sets) {
    const start = performance.now();
    const questions = await judgeQuestions(set, (question) => ({
      plain: question.plainRank,
      ranks: trials.map(({ settings }) => rankOf(question, settings)),
    }));
    const seconds = ((performance.now() - start) / 1_000).toFixed(0);
    process.stderr.write(`${set.name}: ${questions.length} questions, ${seconds} s\n`);
    judged.push({
      ...{ name: set.name, baseline: questions.map(({ plain }) => plain) },
      trials: trials.map((_, at) => questions.map(({ ranks }) => ranks[at] ?? 0)),
    });
  }
  console.log(`${shippedTable(judged)}\n`);
  console.log(`${trialTable(judged, trials)}\n`);
  console.log(foldReport(judged, trials));
}

/**
 * The rank of the first right answer, as in a list of documents; 0 if it has none.
 * @param {import('./gathered-questions.js').GatheredQuestion} question
 * @param {RankingSettings} settings
 */
function rankOf({ gathered, gold }, settings) {
  const found = scoreGathered(gathered, settings).filter(({ ordinal }) => ordinal !== null);
  const inOrder = rankOrder(gathered.known);
  const right = found.filter(({ node, ordinal }) => gold.has(`${node}/${ordinal}`)).sort(inOrder)[0];
  if (right === undefined) return 0;
  const rank = 1 + found.filter((text) => inOrder(text, right) < 0).length;
  return rank > depth ? 0 : rank;
}

/**
 * The settings in force first, then each of them alone changed or switched off, then all of them at random.
 * @returns {Trial[]}
 */
function allTrials() {
  const random = randomFrom(1);
  const scaled = (/** @type {keyof RankingSettings & string} */ name, /** @type {number} */ factor) => {
    const value = rankingSettings[name] * factor;
    return atMostOne.has(name) ? Math.min(1, value) : value;
  };
  const single = names.flatMap((name) =>
    (needed.has(name) ? [0.5, 2] : [0, 0.5, 2]).map((factor) => {
      const value = scaled(name, factor);
      return { label: `${name} ${round(value)}`, settings: { ...rankingSettings, [name]: value } };
    }),
  );
  const mixed = Array.from({ length: randomTrials }, (_, at) => {
    const values = names.map((name) => [name, scaled(name, 2 ** (2 * random.next() - 1))]);
    return { label: `random ${at}`, settings: /** @type {RankingSettings} */ (Object.fromEntries(values)) };
  });
  return [{ label: 'in force', settings: rankingSettings }, ...single, ...mixed];
}

/** @param {readonly JudgedSet[]} sets */
function shippedTable(sets) {
  const figures = (/** @type {import('./cross-validation.js').Ranks} */ some) =>
    `${anyAtTen(some).toFixed(3)} / ${meanReciprocalRank(some).toFixed(3)}`;
  return table(
    ['any@10 / MRR', 'questions', 'plain FTS5', 'text'],
    sets.map(({ name, baseline, trials }) => [
      ...[name, `${baseline.length}`, figures(baseline), figures(trials[0] ?? [])],
    ]),
  );
}

/**
 * @param {readonly JudgedSet[]} sets
 * @param {readonly Trial[]} trials
 */
function trialTable(sets, trials) {
  const rows = trials.map(({ label }, trial) => {
    const margins = sets.map(({ baseline, trials }) => signed(margin(trials[trial] ?? [], baseline)));
    return {
      shown: !label.startsWith('random'),
      cells: [label, ...margins, objective(sets, trial).toFixed(3)],
    };
  });
  const best = bestTrial(sets);
  return table(
    ['gain over plain FTS5', ...sets.map(({ name }) => name), 'objective'],
    rows.filter(({ shown }, trial) => shown || trial === best).map(({ cells }) => cells),
  );
}

/**
 * @param {readonly JudgedSet[]} sets
 * @param {readonly Trial[]} trials
 */
function foldReport(sets, trials) {
  const { chosen, margins } = crossValidate(sets);
  const shown = (/** @type {number} */ trial) =>
    `${trials[trial]?.label}: ${names.map((name) => `${name} ${round(trials[trial]?.settings[name] ?? 0)}`).join(', ')}`;
  return [
    table(
      ['gain of settings chosen without these questions', 'mean', 'least', 'most'],
      sets.map(({ name }) => {
        const gains = margins.get(name) ?? [];
        return [name, ...[mean(gains), Math.min(...gains), Math.max(...gains)].map(signed)];
      }),
    ),
    `\nBest on all questions: ${shown(bestTrial(sets))}`,
    ...chosen.map((trial, fold) => `Chosen without fold ${fold + 1}: ${shown(trial)}`),
  ].join('\n');
}

const round = (/** @type {number} */ value) => Number(value.toPrecision(3));
const signed = (/** @type {number} */ value) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
