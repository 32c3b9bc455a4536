import { editDistance } from '../model/edit-distance.js';
import { digitsOf, foldName, spellingTolerance } from '../store/text/spelling.js';
import type { SimilarNode } from './gate-target.js';

const maxSimilar = 3;

/** Candidates whose names differ only in case, spacing, punctuation or a letter or two; nearest first. */
export function filterSimilarSpelling(
  name: string,
  candidates: readonly SimilarNode[],
): readonly SimilarNode[] {
  const wanted = foldName(name);
  if (wanted === '') return [];
  return candidates
    .map((candidate) => ({ candidate, distance: distance(wanted, foldName(candidate.name)) }))
    .filter(({ distance }) => distance <= spellingTolerance(wanted))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSimilar)
    .map(({ candidate }) => candidate);
}

function distance(a: string, b: string): number {
  if (a === b) return 0;
  return digitsOf(a) === digitsOf(b) ? editDistance(a, b, spellingTolerance(a)) : Number.POSITIVE_INFINITY;
}
