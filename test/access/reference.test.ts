import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Actor } from '../../src/access/actor.js';
import { actions } from '../../src/access/permission.js';
import type { ConcreteAccessRequest } from '../../src/access/policy/access-request.js';
import { loadCedar } from '../../src/access/policy/cedar.js';
import { compilePolicyDocument } from '../../src/access/policy/compile-policy-document.js';
import { Policy } from '../../src/access/policy/policy.js';
import {
  branchActions,
  branchScopes,
  graphActions,
  type PolicyDocument,
  type Rule,
  type Subject,
  targetActions,
} from '../../src/access/policy/policy-document.js';
import { times } from '../helpers/full.js';

const cedar = await loadCedar();
const questions = times(1_000, 10_000);

/** What a policy means, in ten lines. */
function reference(document: PolicyDocument, actor: Actor, asked: ConcreteAccessRequest): boolean {
  const { groups, protectedBranches, rules } = document;
  return rules.some((rule) => whom(rule.subject) && rule.actions.includes(asked.action) && where(rule));
  function whom(subject: Subject): boolean {
    if (subject.kind === 'any') return true;
    if (subject.kind !== 'group')
      return subject.name === (subject.kind === 'actor' ? actor.id : actor.tenant);
    return actor.groups.includes(subject.name) || groups.get(subject.name)?.includes(actor.id) === true;
  }
  function where({ graphs, queries, branchScope, targetBranchScope }: Rule): boolean {
    const isTarget = targetActions.includes(asked.action);
    const scope = isTarget ? targetBranchScope : branchActions.includes(asked.action) ? branchScope : 'any';
    const fits =
      scope === 'any' || (scope === 'protected') === protectedBranches.includes(asked.branch ?? '');
    const query = asked.action !== 'invoke_query' || (queries?.includes(asked.query ?? '') ?? true);
    return fits && query && (graphs?.includes(asked.graph ?? '') ?? true);
  }
}

/** Few names, some of them awkward, so that rules and questions meet often; the kinds share them to find mix-ups. */
const name = fc.constantFrom('a', 'b', 'a/b', 'c"d', '__proto__', 'main', 'x::"y"', 'ü\\');
const subject = fc.oneof(
  fc.constant({ kind: 'any' as const }),
  fc.record({ kind: fc.constantFrom('group' as const, 'actor' as const, 'tenant' as const), name }),
);
const names = fc.option(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), { nil: undefined });
const rule = fc
  .record({
    subject,
    actions: fc.uniqueArray(fc.constantFrom(...actions), { minLength: 1, maxLength: 4 }),
    branchScope: fc.constantFrom(...branchScopes),
    targetBranchScope: fc.constantFrom(...branchScopes),
    graphs: names,
    queries: names,
  })
  .map(({ graphs, queries, ...rest }) => ({
    ...rest,
    ...(graphs === undefined ? {} : { graphs }),
    ...(queries === undefined ? {} : { queries }),
  }));
const policyDocument = fc
  .record({
    groups: fc.array(fc.tuple(name, fc.array(name, { maxLength: 3 })), { maxLength: 3 }),
    protectedBranches: fc.uniqueArray(name, { maxLength: 2 }),
    rules: fc.array(rule, { maxLength: 4 }),
  })
  .map(({ groups, protectedBranches, rules }) => ({
    groups: new Map(groups),
    protectedBranches,
    rules: rules.map((made, index) => ({ ...made, id: `rule ${index}` })),
  }));
const asker = fc
  .record({
    id: name,
    groups: fc.uniqueArray(name, { maxLength: 2 }),
    tenant: fc.option(name, { nil: undefined }),
  })
  .map(
    ({ tenant, ...rest }): Actor => ({
      ...rest,
      ...(tenant === undefined ? {} : { tenant }),
      scopes: [],
      source: 'token',
    }),
  );
const question = fc
  .record({ action: fc.constantFrom(...actions), graph: name, branch: name, query: name })
  .map(({ action, graph, branch, query }) => {
    if (graphActions.includes(action)) return { action, graph };
    return action === 'invoke_query' ? { action, graph, branch, query } : { action, graph, branch };
  });

test('Cedar decides random questions on random policies like the reference', () => {
  let allowed = 0;
  const agree = fc.property(policyDocument, asker, question, (made, actor, asked) => {
    const policy = new Policy(cedar, compilePolicyDocument(made));
    const decision = policy.decide(actor, asked);
    policy.release();
    expect(decision.allowed).toBe(reference(made, actor, asked));
    // The rule that is named allows it by itself.
    const alone = { ...made, rules: made.rules.filter(({ id }) => id === decision.rule) };
    expect(reference(alone, actor, asked)).toBe(decision.allowed);
    if (decision.allowed) allowed += 1;
  });
  fc.assert(agree, { numRuns: questions });
  // Both answers must be common, or the comparison says little.
  expect(allowed).toBeGreaterThan(questions / 50);
});
