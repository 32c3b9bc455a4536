import type { Perspective } from '../perspectives.js';

/** What a text is embedded for: models that tell questions from documents want to know. */
export type TextKind = 'query' | 'document';

/** Turns texts into vectors of length 1. */
export interface Embedder {
  /** Says which vectors can be compared: those of one id, one perspective and one dimension. */
  readonly id: string;
  /** Whether a perspective makes a difference; if not, one vector serves all. */
  readonly usesPerspectives: boolean;
  /** How many texts are best given at once. */
  readonly batchSize: number;
  /** Known once the first text was embedded, if not before. */
  dimension(): Promise<number>;
  embed(texts: readonly string[], kind: TextKind, perspective: Perspective): Promise<Float32Array[]>;
}
