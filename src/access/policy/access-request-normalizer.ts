import { atLeastOne } from '../permission.js';
import type { AccessRequest } from './access-request.js';
import type { BranchAndQueryNames } from './applicable-rules.js';
import { type PolicyFacts, unmentioned } from './cedar-request.js';
import { graphActions } from './policy-document.js';

/** What the rules of a policy can tell apart, besides protected branches from others. */
export interface PolicyDistinctions {
  /** The graphs that rules mention. */
  readonly graphs: ReadonlySet<string>;
  /** The branches and queries of a graph that rules mention. */
  namesIn(graph: string): BranchAndQueryNames;
  /** Whether rules look at names, so that what holds for one unmentioned name need not hold for the next. */
  readonly readsNames: boolean;
}

/**
 * Puts one question in place of all that rules cannot tell apart: a name that no rule mentions is like any other. So ever
 * new names, which cost a caller nothing, are one question that is asked once.
 */
export class AccessRequestNormalizer {
  readonly #distinctions: PolicyDistinctions;
  readonly #protected: ReadonlySet<string>;
  readonly #standIns = new Map<string, Representatives>();

  constructor(distinctions: PolicyDistinctions, { protectedBranches = new Set() }: PolicyFacts) {
    this.#distinctions = distinctions;
    this.#protected = protectedBranches;
  }

  normalize({ action, graph: asked, branch, query }: AccessRequest): AccessRequest {
    const graph = asked === undefined || this.#distinctions.graphs.has(asked) ? asked : unmentioned;
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

  /** Branches to try, such that for each branch there is one that is like it, apart from what names say. */
  candidateBranches(graph: string, mentioned: readonly string[]): ReadonlySet<string> {
    const { branch } = this.#of(graph);
    return new Set([...[...this.#protected, ...mentioned].map(branch), unmentioned]);
  }

  /** There are as many as the policy mentions graphs, and one. */
  #of(graph: string): Representatives {
    const known = this.#standIns.get(graph);
    if (known !== undefined) return known;
    const { namesIn, readsNames } = this.#distinctions;
    const made = readsNames ? identityRepresentatives : representativesFor(namesIn(graph), this.#protected);
    this.#standIns.set(graph, made);
    return made;
  }
}

/** The name that stands for another. */
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
