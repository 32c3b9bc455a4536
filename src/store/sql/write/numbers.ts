/** Gives out the next node ids and seqs of a graph to a write: increasing, and never given to two things that last. */
export interface Numbers {
  take(counter: 'node' | 'seq', count: number): Promise<number[]>;
}
