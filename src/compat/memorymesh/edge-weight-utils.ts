import { checkWeight } from '../../engine/write/create-edges-strict.js';
import { defaultWeight } from '../../model/edge.js';
import type { MemoryMeshEdge } from './memorymesh-shapes.js';

/** Weights of edges, from 0 to 1 (seed 10.2). */
// biome-ignore lint/complexity/noStaticOnlyClass: library users call it as the seed describes it.
export class EdgeWeightUtils {
  /** Throws unless the weight is from 0 to 1. */
  static validateWeight(weight: number): void {
    checkWeight(weight);
  }

  /** The edge with a weight: its own, or 1. */
  static ensureWeight<E extends MemoryMeshEdge>(edge: E): E & { weight: number } {
    return { ...edge, weight: edge.weight ?? defaultWeight };
  }

  /** The mean of the weight and the new evidence. */
  static updateWeight(current: number, newEvidence: number): number {
    return (checkWeight(current) + checkWeight(newEvidence)) / 2;
  }

  /** The greatest weight, for parallel edges; of none, the default. */
  static combineWeights(weights: readonly number[]): number {
    if (weights.length === 0) return defaultWeight;
    return weights.reduce((greatest, weight) => Math.max(greatest, checkWeight(weight)), 0);
  }
}
