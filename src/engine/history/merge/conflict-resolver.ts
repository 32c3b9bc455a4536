import type { Conflict, Resolution, ResolutionSide } from './conflict.js';

/** Decides conflicts as it was told to, and remembers those it was told nothing about. */
export class ConflictResolver {
  readonly #resolutions: readonly Resolution[];
  readonly #otherwise: ResolutionSide | undefined;
  readonly #used = new Set<Resolution>();
  readonly #undecided: Conflict[] = [];
  readonly #decidedOtherwise: Conflict[] = [];

  /** @param otherwise What to take where no resolution says anything. */
  constructor(resolutions: readonly Resolution[] = [], otherwise?: ResolutionSide) {
    this.#resolutions = resolutions;
    this.#otherwise = otherwise;
  }

  /** Whose word counts in a conflict; the target's, for as long as nobody has decided. */
  resolve(conflict: Conflict): ResolutionSide {
    const matching = this.#resolutions.filter((resolution) => resolutionMatches(resolution, conflict));
    for (const resolution of matching) this.#used.add(resolution);
    // One that names the property is meant more exactly.
    const decision = matching.find(({ property }) => property !== undefined) ?? matching[0];
    if (decision !== undefined) return decision.take;
    (this.#otherwise === undefined ? this.#undecided : this.#decidedOtherwise).push(conflict);
    return this.#otherwise ?? 'target';
  }

  /** Conflicts that no resolution named, and that were decided all the same. */
  get resolvedByDefault(): readonly Conflict[] {
    return this.#decidedOtherwise;
  }

  get unresolved(): readonly Conflict[] {
    return this.#undecided;
  }

  /** Resolutions that decided nothing. */
  get unusedResolutions(): readonly Resolution[] {
    return this.#resolutions.filter((resolution) => !this.#used.has(resolution));
  }
}

/** Whether a resolution is about a conflict. */
export function resolutionMatches({ id, property }: Resolution, conflict: Conflict): boolean {
  return id === conflict.id && (property === undefined || property === conflict.property);
}
