/** What a brief is made of, as it was read. */
export interface BriefFacts {
  /** Facts that begin with `PINNED:`. */
  readonly pinned: readonly NamedFact[];
  readonly projects: readonly BriefProject[];
  /** Facts that begin with `QUESTION:`. */
  readonly questions: readonly NamedFact[];
  /** The last changed first. */
  readonly recent: readonly ChangedNode[];
}

export interface NamedFact {
  readonly name: string;
  readonly text: string;
}

export interface BriefProject {
  readonly name: string;
  readonly type: string;
  readonly summary: string | null;
  readonly facts: readonly string[];
  readonly relations: readonly { readonly from: string; readonly type: string; readonly to: string }[];
}

export interface ChangedNode {
  readonly name: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** How a fact is marked, on every surface: by the way its text begins, in any case. */
export const briefMarks = { pinned: 'pinned:', question: 'question:' } as const;

/** The fact without its mark; undefined if it does not have it. */
export function withoutMark(fact: string, mark: string): string | undefined {
  return fact.slice(0, mark.length).toLowerCase() === mark ? fact.slice(mark.length).trim() : undefined;
}
