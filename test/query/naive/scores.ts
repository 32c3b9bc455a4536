import type { Json } from '../../../src/model/json.js';
import type { RowQuery, Score } from '../../../src/store/row-query.js';
import { stems } from '../../../src/store/text/words.js';
import { propertyJson, type Row } from './evaluate.js';
import type { NaiveGraph } from './graph.js';
import { byCodePoint } from './values.js';

/** How well a row fits. */
export type Scores = (score: Score, row: Row) => number | null;

/** One minus the cosine of the angle. */
export function distance(value: Json, vector: readonly number[]): number | null {
  if (!Array.isArray(value) || value.length !== vector.length) return null;
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, x, index) => sum + x * (b[index] ?? 0), 0);
  const norms = Math.sqrt(dot(value, value)) * Math.sqrt(dot(vector, vector));
  return norms === 0 ? null : 1 - dot(value, vector) / norms;
}

/** Scores of the rows of a query: of single rows by themselves, of ranks among all rows. */
export function scoreAll(graph: NaiveGraph, query: RowQuery, rows: readonly Row[]): Scores {
  const single: Scores = (score, row) => {
    if (score.kind === 'nearest') return distance(propertyJson(score.operand, row), score.vector);
    return score.kind === 'bm25' ? bm25(graph, query, score, row) : null;
  };
  return (score, row) => {
    if (score.kind !== 'rrf') return single(score, row);
    return score.arms.reduce((sum, arm) => {
      const place = rank(single, arm, rows, row);
      return sum + (place === null ? 0 : 1 / (score.k + place));
    }, 0);
  };
}

function bm25(
  graph: NaiveGraph,
  { match }: RowQuery,
  { operand, text }: Extract<Score, { kind: 'bm25' }>,
  row: Row,
): number {
  const types = match.nodes.find(({ id }) => id === operand.variable)?.types ?? null;
  const things =
    operand.of === 'node'
      ? graph.nodes.filter(({ type }) => types === null || types.includes(type))
      : graph.edges.filter(({ type }) =>
          match.hops.some((hop) => hop.variable === operand.variable && hop.edge === type),
        );
  const stemsOf = (value: Json) =>
    (Array.isArray(value) ? value : [value]).flatMap((each) => (typeof each === 'string' ? stems(each) : []));
  const texts = things
    .map((thing) => propertyJson(operand, new Map([[operand.variable, thing]])))
    .filter((value) => value !== null)
    .map(stemsOf);
  const own = stemsOf(propertyJson(operand, row));
  const average = Math.max(1, texts.reduce((sum, each) => sum + each.length, 0) / Math.max(1, texts.length));
  let score = 0;
  for (const stem of new Set(stems(text))) {
    const count = own.filter((each) => each === stem).length;
    if (count === 0) continue;
    const frequency = texts.filter((each) => each.includes(stem)).length;
    const weight = Math.log(1 + (texts.length - frequency + 0.5) / (frequency + 0.5));
    score += (weight * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * own.length) / average));
  }
  // Sums that only differ by how floats were rounded are the same.
  return Number(score.toPrecision(12));
}

/** The place of the row's node among those that the score says something about. */
function rank(single: Scores, arm: Score, rows: readonly Row[], row: Row): number | null {
  if (arm.kind === 'rrf') return null;
  const { variable } = arm.operand;
  const entry = (each: Row) => {
    const thing = each.get(variable);
    const [name, type] = thing !== undefined && 'ref' in thing ? [thing.name, thing.type] : ['', ''];
    return { score: single(arm, each), name, type };
  };
  const own = entry(row);
  const rated = ({ score }: { score: number | null }) =>
    score !== null && (arm.kind === 'nearest' || score > 0);
  if (!rated(own)) return null;
  const turn = arm.kind === 'nearest' ? 1 : -1;
  const ahead = rows
    .map(entry)
    .filter(rated)
    .filter(({ score, name, type }) => {
      const difference = turn * ((score ?? 0) - (own.score ?? 0));
      return (difference || byCodePoint(name, own.name) || byCodePoint(type, own.type)) < 0;
    });
  return new Set(ahead.map(({ name, type }) => JSON.stringify([name, type]))).size + 1;
}
