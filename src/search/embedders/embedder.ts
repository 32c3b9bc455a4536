import type { Perspective } from '../perspectives.js';

/** Some models embed questions and documents differently. */
export type TextKind = 'query' | 'document';

/** Turns texts into vectors of length 1. */
export interface Embedder {
  /** Vectors can be compared if id, perspective and dimension are the same. */
  readonly id: string;
  /** If false, one vector serves all perspectives. */
  readonly usesPerspectives: boolean;
  readonly batchSize: number;
  /** Known once the first text was embedded, if not before. */
  dimension(): Promise<number>;
  embed(texts: readonly string[], kind: TextKind, perspective: Perspective): Promise<Float32Array[]>;
}
