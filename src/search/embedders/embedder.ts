import { withTimeout } from '../../bounds/with-timeout.js';
import { reasonOf, TrellisError } from '../../model/error.js';
import type { Perspective } from '../perspectives.js';

/** Some models embed questions and documents differently. */
export type TextKind = 'query' | 'document';

/**
 * What gets a vector for each perspective: nothing, only queries (the model is told what to look for), or stored texts
 * too (the instruction is part of them).
 */
export type PerspectiveUse = 'none' | 'queries' | 'all';

/** Turns texts into vectors of length 1. */
export interface Embedder {
  /** Vectors can be compared if id, perspective and dimension are the same. */
  readonly id: string;
  readonly perspectives: PerspectiveUse;
  /** Whether the first numbers of a vector make a good shorter vector; see `shortenVector`. */
  readonly canShorten: boolean;
  readonly batchSize: number;
  /** What cosines count in hybrid search beside words, about 1; found with bench/retrieval.js. */
  readonly meaningWeight: number;
  /** Known once the first text was embedded, if not before. */
  dimension(): Promise<number>;
  embed(texts: readonly string[], kind: TextKind, perspective: Perspective): Promise<Float32Array[]>;
}

/** Whether an embedder is the model that a schema names, with or without the provider: `ollama:m` or `m`. */
export function isModel(id: string, model: string | null): boolean {
  return model === null || id === model || id.slice(id.indexOf(':') + 1) === model;
}

/** The weight of meaning for models of sentences; measured with all-MiniLM-L6-v2. */
export const sentenceModelWeight = 1;

export function embedderUnavailable(reason: string, hint: string, cause?: unknown): TrellisError {
  return new TrellisError('EMBEDDER_UNAVAILABLE', reason, {
    hint,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Scales to length 1; a zero vector stays zero. */
export function normalizeVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0 || !Number.isFinite(squares)) return new Float32Array(vector.length);
  const length = Math.sqrt(squares);
  return vector.map((value) => value / length);
}

/** The first numbers of a vector of a model that can shorten, scaled to length 1. */
export function shortenVector(vector: Float32Array, dimension: number): Float32Array {
  return vector.length <= dimension ? vector : normalizeVector(vector.slice(0, dimension));
}

/** After this, a result without the embedder is better than waiting longer. */
const timeoutMs = 10_000;

export function withEmbedderTimeout<T>(work: Promise<T>): Promise<T> {
  return withTimeout(work, timeoutMs, () => {
    throw new Error(`The embedder did not answer within ${timeoutMs / 1_000} seconds.`);
  });
}

/** What an embedder threw; the message may name its address or folder, so it is private. */
export function asEmbedderError(thrown: unknown): TrellisError {
  if (thrown instanceof TrellisError) return thrown;
  return embedderUnavailable(reasonOf(thrown), 'Check that the model server is running.', thrown);
}
