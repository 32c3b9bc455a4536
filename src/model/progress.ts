/** Hears how far a long piece of work has come. */
export interface ProgressListener {
  /** A part begins; the one before has ended. Without a total, nobody knows how much there is. */
  begin(what: string, total?: number): void;
  advance(count: number): void;
}
