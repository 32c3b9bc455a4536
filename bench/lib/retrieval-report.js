// @ts-check
import { depths } from './recall.js';
import { milliseconds, table } from './table.js';

/**
 * @typedef {import('./measure-retrieval.js').Figure} Figure
 * @typedef {import('./recall.js').Estimate} Estimate
 * @typedef {{ set: string, questions: number, documents: number, figures: readonly Figure[] }} SetReport
 */

const ten = depths.indexOf(10);
const short = (/** @type {number} */ value) => value.toFixed(3);
const withInterval = (/** @type {Estimate | undefined} */ estimate) =>
  estimate === undefined ? '' : `${short(estimate.mean)} [${short(estimate.low)}, ${short(estimate.high)}]`;
const anyAndMrr = (/** @type {Figure['recall'] | undefined} */ recall) =>
  recall === undefined ? '' : `${short(recall.any[ten]?.mean ?? 0)} / ${short(recall.mrr.mean)}`;

/**
 * One set: each search, then each search by category.
 * @param {SetReport} report
 */
export function setTables({ set, questions, documents, figures }) {
  const searches = table(
    ['search', 'any@10 [95 %]', 'fraction@10 [95 %]', 'MRR [95 %]', 'p50', 'p95', 'tokens'],
    figures.map(({ search, recall, p50, p95, tokens }) => [
      ...[search, withInterval(recall.any[ten]), withInterval(recall.fraction[ten])],
      ...[withInterval(recall.mrr), milliseconds(p50), milliseconds(p95), tokens.toFixed(0)],
    ]),
  );
  const categories = [...(figures[0]?.categories ?? new Map())];
  const parts = [`${set}: ${documents} documents, ${questions} questions`, searches];
  if (categories.length > 1) {
    parts.push(
      table(
        ['category (any@10 / MRR)', 'questions', ...figures.map(({ search }) => search)],
        categories.map(([name, { questions }]) => [
          ...[name, `${questions}`],
          ...figures.map((figure) => anyAndMrr(figure.categories.get(name)?.recall)),
        ]),
      ),
    );
  }
  return parts.join('\n\n');
}

/**
 * All sets beside each other.
 * @param {readonly SetReport[]} reports
 */
export function summaryTable(reports) {
  const searches = [...new Set(reports.flatMap(({ figures }) => figures.map(({ search }) => search)))];
  return table(
    ['any@10 / MRR', ...searches],
    reports.map(({ set, figures }) => [
      set,
      ...searches.map((name) => anyAndMrr(figures.find(({ search }) => search === name)?.recall)),
    ]),
  );
}

/**
 * For a program to read.
 * @param {readonly SetReport[]} reports
 */
export function reportData(reports) {
  return reports.map(({ figures, ...set }) => ({
    ...set,
    figures: figures.map(({ categories, ...figure }) => ({
      ...figure,
      categories: Object.fromEntries(categories),
    })),
  }));
}
