import type { Conflict, Resolution, ResolutionSide } from './conflict.js';

/** Decides conflicts by resolutions or a default side, and collects the undecided ones. */
export class ConflictResolver {
  readonly #resolutions: readonly Resolution[];
  readonly #defaultSide: ResolutionSide | undefined;
  readonly #used = new Set<Resolution>();
  readonly #unresolved: Conflict[] = [];
  readonly #resolvedByDefault: Conflict[] = [];

  constructor(resolutions: readonly Resolution[] = [], defaultSide?: ResolutionSide) {
    this.#resolutions = resolutions;
    this.#defaultSide = defaultSide;
  }

  /** The target's side while undecided. */
  resolve(conflict: Conflict): ResolutionSide {
    const matching = this.#resolutions.filter((resolution) => resolutionMatches(resolution, conflict));
    for (const resolution of matching) this.#used.add(resolution);
    // A resolution that names the property is more specific.
    const decision = matching.find(({ property }) => property !== undefined) ?? matching[0];
    if (decision !== undefined) return decision.take;
    (this.#defaultSide === undefined ? this.#unresolved : this.#resolvedByDefault).push(conflict);
    return this.#defaultSide ?? 'target';
  }

  /** Decided by the default side. */
  get resolvedByDefault(): readonly Conflict[] {
    return this.#resolvedByDefault;
  }

  get unresolved(): readonly Conflict[] {
    return this.#unresolved;
  }

  get unusedResolutions(): readonly Resolution[] {
    return this.#resolutions.filter((resolution) => !this.#used.has(resolution));
  }
}

export function resolutionMatches({ id, property }: Resolution, conflict: Conflict): boolean {
  return id === conflict.id && (property === undefined || property === conflict.property);
}
