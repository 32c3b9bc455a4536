/** Gives out the next node ids and seqs of a graph to a write: increasing, and never given to two things that last. */
export interface SequenceAllocator {
  /** At once, where the store knows them. */
  take(counter: 'node' | 'seq', count: number): number[] | Promise<number[]>;
}
