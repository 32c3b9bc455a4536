import { compileRule } from './compile.js';
import type { PolicyDocument } from './document.js';
import type { PolicyParts } from './policy.js';

/** What Cedar is given for a policy in its short form. */
export function yamlParts({ groups, protectedBranches, rules }: PolicyDocument): PolicyParts {
  const memberships = new Map<string, string[]>();
  for (const [group, members] of groups) {
    for (const actor of members) memberships.set(actor, [...(memberships.get(actor) ?? []), group]);
  }
  return {
    policies: {
      staticPolicies: Object.fromEntries(rules.map((rule, index) => [index, compileRule(rule)])),
    },
    ruleNames: rules.map(({ id }) => id),
    facts: {
      groupsOf: (actor) => memberships.get(actor) ?? [],
      protectedBranches: new Set(protectedBranches),
    },
    // One protected branch is like another, and so are the queries that a rule names.
    mentioned: () => ({
      branches: protectedBranches.slice(0, 1),
      queries: rules.flatMap((rule) => rule.queries?.slice(0, 1) ?? []),
    }),
    readsNames: false,
  };
}
