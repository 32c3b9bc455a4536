import { atLeastOne } from '../permission.js';
import type { AccessRequest } from './access-request.js';
import type { BranchAndQueryNames } from './applicable-rules.js';
import { type PolicyFacts, unmentioned } from './cedar-request.js';
import { graphActions } from './policy-document.js';

export interface PolicyDistinctions {
  readonly graphs: ReadonlySet<string>;
  namesIn(graph: string): BranchAndQueryNames;
  /** Rules that read names may treat two unmentioned names differently. */
  readonly readsNames: boolean;
}

/** Replaces names that no rule mentions by one: clients can make up any number of them, and each would be decided anew. */
export class AccessRequestNormalizer {
  readonly #distinctions: PolicyDistinctions;
  readonly #protected: ReadonlySet<string>;
  readonly #standIns = new Map<string, Representatives>();

  constructor(distinctions: PolicyDistinctions, { protectedBranches = new Set() }: PolicyFacts) {
    this.#distinctions = distinctions;
    this.#protected = protectedBranches;
  }

  normalize({ action, graph: given, branch, query }: AccessRequest): AccessRequest {
    const graph = given === undefined || this.#distinctions.graphs.has(given) ? given : unmentioned;
    if (graphActions.includes(action)) return { action, graph };
    if (graph === undefined) return { action };
    const standIns = this.#of(graph);
    const alike: AccessRequest = {
      action,
      graph,
      branch: branch === undefined || branch === atLeastOne ? branch : standIns.branch(branch),
    };
    if (action !== 'invoke_query') return alike;
    return { ...alike, query: query === undefined || query === atLeastOne ? query : standIns.query(query) };
  }

  /** For each branch, one that the rules cannot distinguish from it, except by its name. */
  candidateBranches(graph: string, mentioned: readonly string[]): ReadonlySet<string> {
    const { branch } = this.#of(graph);
    return new Set([...[...this.#protected, ...mentioned].map(branch), unmentioned]);
  }

  /** One per graph that the policy mentions, plus one. */
  #of(graph: string): Representatives {
    const known = this.#standIns.get(graph);
    if (known !== undefined) return known;
    const { namesIn, readsNames } = this.#distinctions;
    const made = readsNames ? identityRepresentatives : representativesFor(namesIn(graph), this.#protected);
    this.#standIns.set(graph, made);
    return made;
  }
}

interface Representatives {
  branch(name: string): string;
  query(name: string): string;
}

const identityRepresentatives: Representatives = { branch: (name) => name, query: (name) => name };

function representativesFor(
  mentioned: BranchAndQueryNames,
  protectedBranches: ReadonlySet<string>,
): Representatives {
  const branches = new Set(mentioned.branches);
  const queries = new Set(mentioned.queries);
  const protectedOne = [...protectedBranches].find((name) => !branches.has(name)) ?? unmentioned;
  return {
    branch(name) {
      if (branches.has(name)) return name;
      return protectedBranches.has(name) ? protectedOne : unmentioned;
    },
    query: (name) => (queries.has(name) ? name : unmentioned),
  };
}
