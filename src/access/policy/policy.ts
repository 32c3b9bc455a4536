import { createHash } from 'node:crypto';
import type { AuthorizationAnswer, Policy as CedarPolicy } from '@cedar-policy/cedar-wasm/nodejs';
import { LruCache } from '../../bounds/lru-cache.js';
import { TrellisError } from '../../model/error.js';
import type { Actor } from '../actor.js';
import { type Action, actions, atLeastOne } from '../permission.js';
import { type AccessRequest, type ConcreteAccessRequest, type Decision, denied } from './access-request.js';
import { AccessRequestNormalizer, type PolicyDistinctions } from './access-request-normalizer.js';
import { isApplicable, type RuleHead } from './applicable-rules.js';
import { type Cedar, errorMessages, type PreparsedPolicies, policySet, preparsePolicies } from './cedar.js';
import { cedarRequest, type PolicyFacts, principalsOf, unmentioned } from './cedar-request.js';
import type { Mention } from './policy-mentions.js';

export interface PolicyParts {
  readonly policies: readonly CedarPolicy[];
  /** In the order of the file; the policy of rule 3 has the id `3`. */
  readonly ruleNames: readonly string[];
  readonly rules: readonly RuleHead[];
  readonly facts: PolicyFacts;
  readonly mentions: readonly Mention[];
  readonly distinctions: PolicyDistinctions;
}

/** What no rule allows, and what cannot be decided, is denied. */
export class Policy {
  readonly #cedar: Cedar;
  readonly #parts: PolicyParts;
  readonly #preparsed: PreparsedPolicies;
  readonly #normalizer: AccessRequestNormalizer;
  readonly #decisions: LruCache<Decision>;
  readonly #identities = new WeakMap<Actor, string>();

  constructor(cedar: Cedar, parts: PolicyParts, remembered = 10_000) {
    this.#decisions = new LruCache(remembered);
    this.#cedar = cedar;
    this.#parts = parts;
    this.#normalizer = new AccessRequestNormalizer(parts.distinctions, parts.facts);
    this.#preparsed = preparsePolicies(cedar, parts.policies);
  }

  get ruleNames(): readonly string[] {
    return this.#parts.ruleNames;
  }

  get mentions(): readonly Mention[] {
    return this.#parts.mentions;
  }

  decide(actor: Actor, request: AccessRequest): Decision {
    const identity = this.#identity(actor);
    // Cedar has no such strings, so no policy can mean them.
    if (identity === undefined || !areWellFormed([request.graph, request.branch, request.query]))
      return denied;
    const normalized = this.#normalizer.normalize(request);
    const { action, graph, branch, query } = normalized;
    const parts = [identity, action, keyOf(graph), keyOf(branch), keyOf(query)];
    return this.#decisions.getOrCreate(shortKey(parts.join(' ')), () => {
      const rules = this.#applicable(actor, action);
      return isPlain(normalized)
        ? this.#ask(actor, normalized, rules)
        : this.#search(actor, normalized, rules);
    });
  }

  /** Without any grant, the graph does not exist for the actor. */
  hasAnyGrant(actor: Actor, graph: string): boolean {
    return actions.some(
      (action) => this.decide(actor, { action, graph, branch: atLeastOne, query: atLeastOne }).allowed,
    );
  }

  release(): void {
    this.#preparsed.release();
  }

  #applicable(actor: Actor, action: Action): Applicable {
    const principals = principalsOf(this.#parts.facts, actor);
    return this.#parts.rules
      .map((rule, id) => ({ id, rule }))
      .filter(({ rule }) => isApplicable(rule, principals, action));
  }

  #ask(actor: Actor, request: ConcreteAccessRequest, rules: Applicable): Decision {
    const input = cedarRequest(this.#parts.facts, actor, request);
    if (input === undefined || rules.length === 0) return denied;
    const answer = this.#cedar.statefulIsAuthorized({ ...input, preparsedPolicySetId: this.#preparsed.name });
    return this.#decision(answer);
  }

  /** Tries the mentioned names, and one that stands for all others. */
  #search(actor: Actor, request: AccessRequest, rules: Applicable): Decision {
    const { action, graph } = request;
    if (graph === undefined || !rules.some(({ rule }) => rule.effect === 'permit')) return denied;
    const tried = rules.map(({ rule }) => rule.candidateNames(graph));
    const branches = this.#normalizer.candidateBranches(
      graph,
      tried.flatMap((names) => names.branches),
    );
    const queries = new Set([...tried.flatMap((names) => names.queries), unmentioned]);
    for (const branch of request.branch === atLeastOne ? branches : [request.branch]) {
      for (const query of request.query === atLeastOne ? queries : [request.query]) {
        const plain = { action, graph, branch, query };
        const open = this.#parts.distinctions.readsNames && (branch === unmentioned || query === unmentioned);
        const decision = open ? this.#askOpen(actor, plain, rules) : this.#ask(actor, plain, rules);
        if (decision.allowed) return decision;
      }
    }
    return denied;
  }

  /** Whether some name that the request leaves open is allowed. */
  #askOpen(actor: Actor, request: ConcreteAccessRequest, rules: Applicable): Decision {
    const input = cedarRequest(this.#parts.facts, actor, request, { open: true });
    if (input === undefined) return denied;
    const { policies } = this.#parts;
    const concerned = new Set(rules.map(({ id }) => id));
    const applicable = [...policies.entries()].filter(([id]) => concerned.has(id));
    const answer = this.#cedar.isAuthorizedPartial({ ...input, policies: policySet(applicable) });
    if (answer.type === 'failure') throw cannotDecide(errorMessages(answer.errors));
    const { decision, mayBeDetermining, residuals } = answer.response;
    if (decision === 'deny') return denied;
    return this.#named(
      true,
      mayBeDetermining.filter((id) => residuals[id]?.effect === 'permit'),
    );
  }

  #decision(answer: AuthorizationAnswer): Decision {
    if (answer.type === 'failure') throw cannotDecide(errorMessages(answer.errors));
    const { decision, diagnostics } = answer.response;
    return this.#named(decision === 'allow', diagnostics.reason);
  }

  /** Of several matching rules, the first in the file is named. */
  #named(allowed: boolean, ids: readonly string[]): Decision {
    const rule = this.#parts.ruleNames[Math.min(...ids.map(Number))];
    return rule === undefined ? { allowed } : { allowed, rule };
  }

  #identity(actor: Actor): string | undefined {
    const known = this.#identities.get(actor);
    if (known !== undefined) return known;
    const { id, groups, tenant, scopes } = actor;
    if (!areWellFormed([id, ...groups, tenant, ...scopes])) return undefined;
    const identity = JSON.stringify([id, groups, tenant, scopes]);
    this.#identities.set(actor, identity);
    return identity;
  }
}

type Applicable = readonly { readonly id: number; readonly rule: RuleHead }[];

function areWellFormed(names: readonly (string | typeof atLeastOne | undefined)[]): boolean {
  return names.every((name) => name === undefined || name === atLeastOne || name.isWellFormed());
}

function isPlain(request: AccessRequest): request is ConcreteAccessRequest {
  return request.branch !== atLeastOne && request.query !== atLeastOne;
}

/** JSON has no other bare words, so no name can be mistaken for these. */
function keyOf(part: string | typeof atLeastOne | undefined): string {
  if (part === undefined) return 'none';
  return part === atLeastOne ? 'some' : JSON.stringify(part);
}

/** Names and groups may be long, and thousands of keys are cached. */
function shortKey(key: string): string {
  return key.length <= 256 ? key : createHash('sha256').update(key).digest('base64url');
}

function cannotDecide(reason: string): TrellisError {
  return new TrellisError('INTERNAL', `Cedar cannot decide: ${reason}`);
}
