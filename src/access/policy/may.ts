import type { Actor } from '../actor.js';
import type { May } from '../permission.js';
import type { Decision, Question } from './question.js';

/** Whatever answers questions about access. */
export interface Decider {
  decide(actor: Actor, question: Question): Decision;
}

/** What a surface asks when it lists tools and when one is called; `branch` is the one the surface is bound to. */
export function mayFor(policy: Decider, actor: Actor, graph: string, branch: string): May {
  return (permissions) =>
    permissions.every(
      (permission) =>
        policy.decide(actor, {
          action: permission.action,
          graph,
          branch: permission.branch ?? branch,
          query: permission.query,
        }).allowed,
    );
}
