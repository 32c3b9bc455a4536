import { digitsOf, folded, spellingTolerance } from '../store/text/spelling.js';
import type { SimilarNode } from './target.js';

/** More would be noise in an answer that is about something else. */
const mostSimilar = 3;

/** Those of the candidates whose name differs only in case, spacing, punctuation or a letter or two; the nearest first. */
export function similarNodes(name: string, candidates: readonly SimilarNode[]): readonly SimilarNode[] {
  const wanted = folded(name);
  if (wanted === '') return [];
  return candidates
    .map((candidate) => ({ candidate, distance: distance(wanted, folded(candidate.name)) }))
    .filter(({ distance }) => distance <= spellingTolerance(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, mostSimilar)
    .map(({ candidate }) => candidate);
}

function distance(a: string, b: string): number {
  if (a === b) return 0;
  return digitsOf(a) === digitsOf(b) ? editDistance(a, b, spellingTolerance(a)) : Number.POSITIVE_INFINITY;
}

/** Letters to insert, remove, replace or swap; infinite beyond `most`, so that long texts are not compared in full. */
export function editDistance(a: string, b: string, most: number): number {
  if (most === 0 || Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(above, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? at(twoAbove, column - 2) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(at(above, column) + 1, at(line, column - 1) + 1, replaced, swapped));
    }
    if (Math.min(...line) > most) return Number.POSITIVE_INFINITY;
    twoAbove = above;
    above = line;
  }
  return at(above, b.length) <= most ? at(above, b.length) : Number.POSITIVE_INFINITY;
}

function at(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY;
}
