import { checkWeight } from '../../engine/write/create-edges-strict.js';
import { defaultWeight } from '../../model/edge.js';
import type { MemoryMeshEdge } from './memorymesh-shapes.js';

// biome-ignore lint/complexity/noStaticOnlyClass: mirrors the MemoryMesh library.
export class EdgeWeightUtils {
  static validateWeight(weight: number): void {
    checkWeight(weight);
  }

  static ensureWeight<E extends MemoryMeshEdge>(edge: E): E & { weight: number } {
    return { ...edge, weight: edge.weight ?? defaultWeight };
  }

  static updateWeight(current: number, newEvidence: number): number {
    return (checkWeight(current) + checkWeight(newEvidence)) / 2;
  }

  /** The greatest weight, or the default without any. */
  static combineWeights(weights: readonly number[]): number {
    if (weights.length === 0) return defaultWeight;
    return weights.reduce((greatest, weight) => Math.max(greatest, checkWeight(weight)), 0);
  }
}
