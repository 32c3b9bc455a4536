import type { Conflict, Resolution, ResolutionSide } from './conflict.js';

/** Decides conflicts by resolutions or a default side, and collects the undecided ones. */
export class ConflictResolver {
  readonly #resolutions: readonly Resolution[];
  readonly #otherwise: ResolutionSide | undefined;
  readonly #used = new Set<Resolution>();
  readonly #undecided: Conflict[] = [];
  readonly #decidedOtherwise: Conflict[] = [];

  constructor(resolutions: readonly Resolution[] = [], otherwise?: ResolutionSide) {
    this.#resolutions = resolutions;
    this.#otherwise = otherwise;
  }

  /** The target's side while undecided. */
  resolve(conflict: Conflict): ResolutionSide {
    const matching = this.#resolutions.filter((resolution) => resolutionMatches(resolution, conflict));
    for (const resolution of matching) this.#used.add(resolution);
    // A resolution that names the property is more specific.
    const decision = matching.find(({ property }) => property !== undefined) ?? matching[0];
    if (decision !== undefined) return decision.take;
    (this.#otherwise === undefined ? this.#undecided : this.#decidedOtherwise).push(conflict);
    return this.#otherwise ?? 'target';
  }

  /** Decided by the default side. */
  get resolvedByDefault(): readonly Conflict[] {
    return this.#decidedOtherwise;
  }

  get unresolved(): readonly Conflict[] {
    return this.#undecided;
  }

  get unusedResolutions(): readonly Resolution[] {
    return this.#resolutions.filter((resolution) => !this.#used.has(resolution));
  }
}

export function resolutionMatches({ id, property }: Resolution, conflict: Conflict): boolean {
  return id === conflict.id && (property === undefined || property === conflict.property);
}
