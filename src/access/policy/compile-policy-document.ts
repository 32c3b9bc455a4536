import { compileRule } from './compile-rule.js';
import type { PolicyParts } from './policy.js';
import type { PolicyDocument } from './policy-document.js';
import { mentionsIn } from './policy-mentions.js';

export function compilePolicyDocument(document: PolicyDocument): PolicyParts {
  const { groups, protectedBranches, rules } = document;
  const memberships = new Map<string, string[]>();
  for (const [group, members] of groups) {
    for (const actor of members) memberships.set(actor, [...(memberships.get(actor) ?? []), group]);
  }
  const compiled = rules.map(compileRule);
  return {
    policies: compiled,
    ruleNames: rules.map(({ id }) => id),
    mentions: mentionsIn(document),
    facts: {
      groupsOf: (actor) => memberships.get(actor) ?? [],
      protectedBranches: new Set(protectedBranches),
    },
    rules: compiled.map(({ effect, principal, action }, index) => ({
      effect,
      principal,
      action,
      // A rule treats all its queries alike.
      candidateNames: () => ({ branches: [], queries: rules[index]?.queries?.slice(0, 1) ?? [] }),
    })),
    distinctions: {
      graphs: new Set(rules.flatMap((rule) => rule.graphs ?? [])),
      namesIn: () => ({ branches: [], queries: rules.flatMap((rule) => rule.queries ?? []) }),
      readsNames: false,
    },
  };
}
