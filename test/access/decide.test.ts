import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atLeastOne } from '../../src/access/permission.js';
import { readPolicy } from '../../src/access/policy/read-policy.js';
import { permissionCheckFor } from '../../src/access/policy/server-policies.js';
import { times } from '../helpers/full.js';
import { actor, example } from './policies.js';

const ann = actor('ann');
const bot = actor('bot-7');
const eve = actor('eve');

describe('the example of the specification', async () => {
  const policy = await readPolicy(example, 'policy.yaml');

  test('whoever is in the group may read any branch, and the answer names the rule', () => {
    expect(policy.decide(ann, { action: 'read', graph: 'g', branch: 'main' })).toEqual({
      allowed: true,
      rule: 'agents-read-and-look-up',
    });
  });

  test('whoever is in no rule may do nothing', () => {
    expect(policy.decide(eve, { action: 'read', graph: 'g', branch: 'main' })).toEqual({ allowed: false });
    expect(policy.hasAnyGrant(eve, 'g')).toBe(false);
  });

  test('a scope keeps writes off protected branches', () => {
    expect(policy.decide(ann, { action: 'change', graph: 'g', branch: 'main' }).allowed).toBe(false);
    expect(policy.decide(ann, { action: 'change', graph: 'g', branch: 'feature/x' }).rule).toBe(
      'feature-branches',
    );
  });

  test('branch_scope does not limit the creation of branches, which target_branch_scope is for', () => {
    expect(policy.decide(ann, { action: 'branch_create', graph: 'g', branch: 'main' }).allowed).toBe(true);
  });

  test('a stored query is allowed by name, in every graph', () => {
    const may = (query: string, graph = 'g') =>
      policy.decide(bot, { action: 'invoke_query', graph, branch: 'main', query }).allowed;
    expect([may('find_user'), may('find_user', 'h'), may('list_orders'), may('drop_all')]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test('invoke_query without a query is denied', () => {
    expect(policy.decide(bot, { action: 'invoke_query', graph: 'g', branch: 'main' }).allowed).toBe(false);
  });

  test('a tool is listed if some branch or some query is allowed', () => {
    expect(policy.decide(ann, { action: 'change', graph: 'g', branch: atLeastOne }).allowed).toBe(true);
    expect(policy.decide(ann, { action: 'schema_apply', graph: 'g', branch: atLeastOne }).allowed).toBe(
      false,
    );
    const query = { action: 'invoke_query', graph: 'g', branch: 'main', query: atLeastOne } as const;
    expect(policy.decide(bot, query)).toEqual({ allowed: true, rule: 'two-queries-only' });
    expect(policy.decide(ann, query).allowed).toBe(false);
  });

  test('what a surface asks is about the branch it is bound to, unless the call names another', () => {
    const may = permissionCheckFor(policy, ann, 'g', 'main');
    expect(may([{ action: 'read' }])).toBe(true);
    expect(may([{ action: 'change' }])).toBe(false);
    expect(may([{ action: 'change', branch: 'feature' }])).toBe(true);
    expect(may([{ action: 'read' }, { action: 'change' }])).toBe(false);
    expect(permissionCheckFor(policy, ann, 'g', 'feature')([{ action: 'change' }])).toBe(true);
  });

  test('groups of the token count like those of the file', () => {
    expect(
      policy.decide(actor('new', { groups: ['team'] }), { action: 'read', graph: 'g', branch: 'main' })
        .allowed,
    ).toBe(true);
  });

  test('an actor with the name of a group is not in it', () => {
    expect(policy.decide(actor('team'), { action: 'read', graph: 'g', branch: 'main' }).allowed).toBe(false);
  });
});

describe('some branch', () => {
  const rule = (scope: string, branches: string) => `version: 1
protected_branches: ${branches}
rules: [{ id: r, allow: { actors: any, actions: [read], branch_scope: ${scope} } }]
`;
  test('is a protected one, if there are any', async () => {
    const ask = async (scope: string, branches: string) =>
      (await readPolicy(rule(scope, branches), 'p.yaml')).decide(ann, {
        action: 'read',
        graph: 'g',
        branch: atLeastOne,
      }).allowed;
    expect(await ask('protected', '[release]')).toBe(true);
    expect(await ask('protected', '[]')).toBe(false);
    expect(await ask('unprotected', '[main]')).toBe(true);
  });
});

describe('graphs and tenants', async () => {
  const policy = await readPolicy(
    `version: 1
rules:
  - id: acme
    allow: { actors: { tenant: acme }, actions: [read, graph_list], graphs: [work, home] }
  - id: root
    allow: { actors: { actor: root }, actions: [graph_admin, graph_list] }
`,
    'policy.yaml',
  );
  const wile = actor('wile', { tenant: 'acme' });

  test('a rule with graphs holds on these alone', () => {
    expect(policy.hasAnyGrant(wile, 'work')).toBe(true);
    expect(policy.hasAnyGrant(wile, 'other')).toBe(false);
    expect(policy.decide(wile, { action: 'read', graph: 'other', branch: 'main' }).allowed).toBe(false);
    expect(policy.decide(wile, { action: 'graph_list', graph: 'home' }).allowed).toBe(true);
    expect(policy.decide(wile, { action: 'graph_list' }).allowed).toBe(false);
  });

  test('a tenant is not an actor or a group of the same name', () => {
    expect(policy.hasAnyGrant(actor('acme', { groups: ['acme'] }), 'work')).toBe(false);
  });

  test('actions on graphs can be asked of the server as a whole', () => {
    expect(policy.decide(actor('root'), { action: 'graph_list' })).toEqual({ allowed: true, rule: 'root' });
    expect(policy.decide(actor('root'), { action: 'graph_admin', graph: 'new' }).allowed).toBe(true);
    expect(policy.decide(actor('root'), { action: 'read', graph: 'work', branch: 'main' }).allowed).toBe(
      false,
    );
  });
});

test('the rule named is the first in the file that allows it', async () => {
  const rules = Array.from(
    { length: 12 },
    (_, index) => `  - { id: r${index}, allow: { actors: any, actions: [read] } }`,
  );
  const policy = await readPolicy(`version: 1\nrules:\n${rules.join('\n')}\n`, 'p.yaml');
  expect(policy.decide(ann, { action: 'read', graph: 'g', branch: 'main' }).rule).toBe('r0');
});

test('decisions do not mix up actors of one name and different groups', async () => {
  const policy = await readPolicy(example, 'p.yaml');
  const question = { action: 'read', graph: 'g', branch: 'main' } as const;
  expect(policy.decide(actor('x', { groups: ['team'] }), question).allowed).toBe(true);
  expect(policy.decide(actor('x'), question).allowed).toBe(false);
  expect(policy.decide(actor('x', { tenant: 'team' }), question).allowed).toBe(false);
});

test('some branch and some query are found if any single one is allowed', async () => {
  const name = fc.constantFrom('main', 'a', 'b', 'c', 'd');
  const rule = fc.record({
    queries: fc.uniqueArray(name, { minLength: 1 }),
    graphs: fc.uniqueArray(name, { minLength: 1 }),
    branch_scope: fc.constantFrom('any', 'protected', 'unprotected'),
    actors: fc.constantFrom({ actor: 'ann' }, { actor: 'bob' }),
    actions: fc.constantFrom(['invoke_query'], ['read', 'invoke_query']),
  });
  const made = fc.record({
    rules: fc.array(rule, { maxLength: 3 }),
    protected_branches: fc.uniqueArray(name),
  });
  const names = ['main', 'a', 'b', 'c', 'd', 'e'];
  const agree = fc.asyncProperty(made, name, async ({ rules, protected_branches }, graph) => {
    const text = JSON.stringify({
      version: 1,
      protected_branches,
      rules: rules.map((allow, index) => ({ id: `r${index}`, allow })),
    });
    const policy = await readPolicy(text, 'p.yaml');
    const one = names.some((branch) =>
      names.some((query) => policy.decide(ann, { action: 'invoke_query', graph, branch, query }).allowed),
    );
    const found = policy.decide(ann, {
      action: 'invoke_query',
      graph,
      branch: atLeastOne,
      query: atLeastOne,
    }).allowed;
    policy.release();
    expect(found).toBe(one);
  });
  await fc.assert(agree, { numRuns: times(50, 200) });
});
