import { compileRule } from './compile.js';
import type { PolicyDocument } from './document.js';
import type { PolicyParts } from './policy.js';

/** What Cedar is given for a policy in its short form. */
export function yamlParts({ groups, protectedBranches, rules }: PolicyDocument): PolicyParts {
  const memberships = new Map<string, string[]>();
  for (const [group, members] of groups) {
    for (const actor of members) memberships.set(actor, [...(memberships.get(actor) ?? []), group]);
  }
  const queries = rules.flatMap((rule) => rule.queries ?? []);
  return {
    policies: {
      staticPolicies: Object.fromEntries(rules.map((rule, index) => [index, compileRule(rule)])),
    },
    ruleNames: rules.map(({ id }) => id),
    facts: {
      groupsOf: (actor) => memberships.get(actor) ?? [],
      protectedBranches: new Set(protectedBranches),
    },
    mentioned: () => ({ branches: [], queries }),
    // Of a branch they only ask whether it is protected, and queries they name are mentioned.
    readsNames: false,
  };
}
