import type { AuthorizationAnswer, PolicySet } from '@cedar-policy/cedar-wasm/nodejs';
import { Memo } from '../../bounds/memo.js';
import { TrellisError } from '../../model/error.js';
import type { Actor } from '../actor.js';
import { actions, some } from '../permission.js';
import { type Cedar, type KeptPolicies, keepPolicies, messages } from './cedar.js';
import { type Decision, denied, type PlainQuestion, type Question } from './question.js';
import { type CedarRequest, cedarRequest, type PolicyFacts, unmentioned } from './request.js';

/** What a policy is made of, whatever it was written in. */
export interface PolicyParts {
  readonly policies: PolicySet;
  /** The names of the rules, in the order of the file; the policy of rule 3 has the id `3`. */
  readonly ruleNames: readonly string[];
  readonly facts: PolicyFacts;
  /** Branches and queries of a graph that rules may treat otherwise than those they do not mention. */
  mentioned(graph: string): { readonly branches: readonly string[]; readonly queries: readonly string[] };
  /** Whether rules look at names, so that what holds for one unmentioned name need not hold for the next. */
  readonly readsNames: boolean;
}

/** Decisions that are remembered; an actor who asks about ever new branches only makes room for itself. */
const remembered = 10_000;

/** Who may do what. What no rule allows is denied, and so is whatever cannot be decided. */
export class Policy {
  readonly #cedar: Cedar;
  readonly #parts: PolicyParts;
  readonly #kept: KeptPolicies;
  readonly #decisions = new Memo<Decision>(remembered);
  readonly #identities = new WeakMap<Actor, string>();

  constructor(cedar: Cedar, parts: PolicyParts) {
    this.#cedar = cedar;
    this.#parts = parts;
    this.#kept = keepPolicies(cedar, parts.policies);
  }

  /** The names of the rules, in the order of the file. */
  get ruleNames(): readonly string[] {
    return this.#parts.ruleNames;
  }

  /** Whether an actor may do something, and which rule says so. */
  decide(actor: Actor, question: Question): Decision {
    const { action, graph, branch, query } = question;
    const key = [this.#identity(actor), action, keyOf(graph), keyOf(branch), keyOf(query)].join(' ');
    return this.#decisions.getOrMake(key, () =>
      isPlain(question) ? this.#ask(actor, question) : this.#search(actor, question),
    );
  }

  /** Whether an actor may do anything at all on a graph; if not, it is to learn nothing of it. */
  hasAnyGrant(actor: Actor, graph: string): boolean {
    const key = `${this.#identity(actor)} any ${keyOf(graph)}`;
    return this.#decisions.getOrMake(
      key,
      () =>
        actions
          .map((action) => this.decide(actor, { action, graph, branch: some, query: some }))
          .find(({ allowed }) => allowed) ?? denied,
    ).allowed;
  }

  /** Ends the use of this policy: Cedar need not keep it any longer. */
  release(): void {
    this.#kept.release();
  }

  #ask(actor: Actor, question: PlainQuestion): Decision {
    const request = this.#request(actor, question, false);
    if (request === undefined) return denied;
    const answer = this.#cedar.statefulIsAuthorized({ ...request, preparsedPolicySetId: this.#kept.name });
    return this.#decision(answer);
  }

  /** Looks for a branch and a query that are allowed: those mentioned, and one that stands for all others. */
  #search(actor: Actor, question: Question): Decision {
    const { graph } = question;
    if (graph === undefined) return this.#ask(actor, { action: question.action });
    const { branches, queries } = this.#parts.mentioned(graph);
    const among = (names: readonly string[]) => new Set([...names, unmentioned]);
    for (const branch of question.branch === some ? among(branches) : [question.branch]) {
      for (const query of question.query === some ? among(queries) : [question.query]) {
        const plain = { action: question.action, graph, branch, query };
        const open = this.#parts.readsNames && (branch === unmentioned || query === unmentioned);
        const decision = open ? this.#askOpen(actor, plain) : this.#ask(actor, plain);
        if (decision.allowed) return decision;
      }
    }
    return denied;
  }

  /** Whether it is allowed for some name that the question leaves open. */
  #askOpen(actor: Actor, question: PlainQuestion): Decision {
    const request = this.#request(actor, question, true);
    if (request === undefined) return denied;
    const answer = this.#cedar.isAuthorizedPartial({ ...request, policies: this.#parts.policies });
    if (answer.type === 'failure') throw cannotDecide(messages(answer.errors));
    const { decision, mayBeDetermining, residuals } = answer.response;
    if (decision === 'deny') return denied;
    return this.#named(
      true,
      mayBeDetermining.filter((id) => residuals[id]?.effect === 'permit'),
    );
  }

  #request(actor: Actor, question: PlainQuestion, open: boolean): CedarRequest | undefined {
    const names = [actor.id, ...actor.groups, actor.tenant, question.graph, question.branch, question.query];
    // Cedar has no such strings, so no policy can mean them.
    if (names.some((name) => name !== undefined && !name.isWellFormed())) return undefined;
    return cedarRequest(this.#parts.facts, actor, question, { open });
  }

  #decision(answer: AuthorizationAnswer): Decision {
    if (answer.type === 'failure') throw cannotDecide(messages(answer.errors));
    const { decision, diagnostics } = answer.response;
    return this.#named(decision === 'allow', diagnostics.reason);
  }

  /** Of several rules that say the same, the first in the file is named. */
  #named(allowed: boolean, ids: readonly string[]): Decision {
    const rule = this.#parts.ruleNames[Math.min(...ids.map(Number))];
    return rule === undefined ? { allowed } : { allowed, rule };
  }

  #identity(actor: Actor): string {
    const known = this.#identities.get(actor);
    if (known !== undefined) return known;
    const identity = JSON.stringify([actor.id, actor.groups, actor.tenant]);
    this.#identities.set(actor, identity);
    return identity;
  }
}

function isPlain(question: Question): question is PlainQuestion {
  return question.branch !== some && question.query !== some;
}

/** JSON has no bare words but these, so no name can be taken for them. */
function keyOf(part: string | typeof some | undefined): string {
  if (part === undefined) return 'none';
  return part === some ? 'some' : JSON.stringify(part);
}

function cannotDecide(reason: string): TrellisError {
  return new TrellisError('INTERNAL', `Cedar cannot decide: ${reason}`);
}
