import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Action, atLeastOne } from '../../src/access/permission.js';
import type { ConcreteAccessRequest } from '../../src/access/policy/access-request.js';
import { loadCedar } from '../../src/access/policy/cedar.js';
import { cedarRequest } from '../../src/access/policy/cedar-request.js';
import { parseCedarPolicy } from '../../src/access/policy/parse-cedar-policy.js';
import { Policy } from '../../src/access/policy/policy.js';
import { graphActions } from '../../src/access/policy/policy-document.js';
import { times } from '../helpers/full.js';
import { actor } from './policies.js';

const cedar = await loadCedar();

const graphs = ['g', 'h', 'a/b', '%2F'];
const branches = ['main', 'draft/1', 'draft/2', 'b/main', 'x"y'];
const queries = ['find', 'list', 'b/find'];
const protectedBranches = ['main', 'x"y'];
const asked: readonly Action[] = ['read', 'change', 'invoke_query', 'branch_merge', 'graph_list'];

const quoted = (...names: readonly string[]) => fc.constantFrom(...names.map((name) => JSON.stringify(name)));
const inGraph = (names: readonly string[]) =>
  quoted(
    ...graphs.flatMap((graph) =>
      names.map((name) => `${graph.replaceAll('%', '%25').replaceAll('/', '%2F')}/${name}`),
    ),
  );
const entity = fc.oneof(
  quoted(...graphs).map((id) => `Graph::${id}`),
  inGraph(branches).map((id) => `Branch::${id}`),
  inGraph(queries).map((id) => `StoredQuery::${id}`),
);
const principal = fc.oneof(
  fc.constantFrom('principal', 'principal is Actor', 'principal in Tenant::"acme"'),
  quoted('ann', 'bob').map((id) => `principal == Actor::${id}`),
  quoted('team', 'ops').map((id) => `principal in Group::${id}`),
  quoted('team', 'ops').map((id) => `principal is Actor in Group::${id}`),
);
const action = fc.oneof(
  fc.constant('action'),
  fc.constantFrom(...asked).map((name) => `action == Action::"${name}"`),
  fc
    .uniqueArray(fc.constantFrom(...asked), { minLength: 1, maxLength: 3 })
    .map((names) => `action in [${names.map((name) => `Action::"${name}"`).join(', ')}]`),
);
const resource = fc.oneof(
  fc.constantFrom('resource', 'resource is Branch', 'resource is StoredQuery'),
  entity.map((one) => `resource == ${one}`),
  quoted(...graphs).map((id) => `resource in Graph::${id}`),
);
const condition = fc.oneof(
  fc.constantFrom('true', 'principal in Group::"team"', 'resource is Branch && resource.protected'),
  entity.map((one) => `resource == ${one}`),
  entity.map((one) => `resource != ${one}`),
  entity.map((one) => `!([${one}].contains(resource))`),
  inGraph(branches).map((id) => `action == Action::"invoke_query" && context.branch == Branch::${id}`),
);
const naming = fc.oneof(
  condition,
  fc
    .constantFrom('draft/*', '*main', 'f*')
    .map((like) => `resource is Branch && resource.name like "${like}"`),
  quoted(...queries).map((name) => `resource is StoredQuery && resource.name == ${name}`),
  fc.constant('action == Action::"invoke_query" && context.branch.name like "draft/*"'),
);
const policyOf = (when: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom('permit', 'permit', 'forbid'),
      principal,
      action,
      resource,
      fc.option(when, { nil: undefined }),
    )
    .map(
      ([effect, who, what, where, condition]) =>
        `${effect}(${who}, ${what}, ${where})${condition === undefined ? '' : ` when { ${condition} }`};`,
    );
/** Half of the policies never look at names, since those take another way. */
const policies = fc.oneof(
  fc.array(policyOf(condition), { minLength: 1, maxLength: 4 }),
  fc.array(policyOf(naming), { minLength: 1, maxLength: 4 }),
);
const asker = fc.constantFrom(
  actor('ann'),
  actor('bob', { groups: ['team'] }),
  actor('eve', { groups: ['ops'], tenant: 'acme' }),
);

function* questions(): Generator<ConcreteAccessRequest> {
  for (const graph of [...graphs, 'elsewhere']) {
    for (const action of asked) {
      if (graphActions.includes(action)) yield { action, graph };
      else {
        for (const branch of [...branches, 'other']) {
          if (action !== 'invoke_query') yield { action, graph, branch };
          else for (const query of [...queries, 'other']) yield { action, graph, branch, query };
        }
      }
    }
  }
}

test('trust 30: decisions are those of Cedar itself, however they are remembered', () => {
  let allowed = 0;
  let denied = 0;
  const agree = fc.property(policies, asker, (texts, who) => {
    const text = texts.join('\n');
    let parts: ReturnType<typeof parseCedarPolicy>;
    try {
      parts = parseCedarPolicy(cedar, text, 'p.cedar', { protectedBranches });
    } catch {
      // A rule that can never apply is refused.
      return fc.pre(false);
    }
    const policy = new Policy(cedar, parts);
    expect(cedar.preparsePolicySet('direct', { staticPolicies: text }).type).toBe('success');
    const found = new Set<string>();
    for (const question of questions()) {
      const request = cedarRequest(parts.facts, who, question);
      if (request === undefined) throw new Error('No question.');
      const direct = cedar.statefulIsAuthorized({ ...request, preparsedPolicySetId: 'direct' });
      if (direct.type === 'failure') throw new Error(JSON.stringify(direct.errors));
      const { decision, diagnostics } = direct.response;
      const named = diagnostics.reason.map((id) => parts.ruleNames[Number(id.replace('policy', ''))]);
      const own = policy.decide(who, question);
      expect([question, own.allowed]).toEqual([question, decision === 'allow']);
      expect(own.rule === undefined ? named.length === 0 : named.includes(own.rule)).toBe(true);
      if (own.allowed) {
        allowed += 1;
        found.add(`${question.graph} ${question.action}`);
      } else denied += 1;
    }
    // What is allowed for one name is allowed for some.
    for (const graph of graphs) {
      for (const action of asked) {
        if (!found.has(`${graph} ${action}`)) continue;
        expect(policy.decide(who, { action, graph, branch: atLeastOne, query: atLeastOne }).allowed).toBe(
          true,
        );
        expect(policy.hasAnyGrant(who, graph)).toBe(true);
      }
    }
    policy.release();
  });
  fc.assert(agree, { numRuns: times(15, 60) });
  // Neither is rare, whatever the seed.
  expect(Math.min(allowed, denied)).toBeGreaterThan(times(10, 50));
});
