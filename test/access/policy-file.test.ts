import { describe, expect, test } from 'vitest';
import { atLeastOne } from '../../src/access/permission.js';
import { parsePolicyDocument } from '../../src/access/policy/parse-policy-document.js';
import { readPolicy } from '../../src/access/policy/read-policy.js';
import { TrellisError } from '../../src/model/error.js';
import { actor, example } from './policies.js';

function faults(text: string): string {
  try {
    parsePolicyDocument(text, 'policy.yaml');
  } catch (error) {
    if (error instanceof TrellisError && error.code === 'POLICY_INVALID') return error.message;
    throw error;
  }
  throw new Error('The policy was taken.');
}

const rule = (allow: string) => `version: 1\nrules:\n  - id: r\n    allow: { ${allow} }\n`;

describe('a policy in YAML', () => {
  test('is read', () => {
    expect(parsePolicyDocument(example, 'policy.yaml')).toMatchObject({
      protectedBranches: ['main'],
      rules: [
        { id: 'agents-read-and-look-up', subject: { kind: 'group', name: 'team' }, branchScope: 'any' },
        { id: 'two-queries-only', queries: ['find_user', 'list_orders'] },
        { id: 'feature-branches', branchScope: 'unprotected', targetBranchScope: 'any' },
      ],
    });
  });

  test.each([
    [
      'an unknown key',
      'version: 1\nrule: []\nrules: []\n',
      'policy.yaml:2: a policy has no key "rule". Did you mean "rules"?',
    ],
    [
      'an unknown key of a rule',
      'version: 1\nrules:\n  - id: r\n    alow: {}\n',
      'policy.yaml:4: a rule has no key "alow". Did you mean "allow"?',
    ],
    [
      'a forbidding rule',
      'version: 1\nrules:\n  - id: r\n    deny: {}\n',
      'policy.yaml:4: a rule has no key "deny". It may have: id, allow.',
    ],
    [
      'an unknown action',
      rule('actors: any, actions: [raed]'),
      'policy.yaml:4: an action cannot be "raed". Did you mean "read"?',
    ],
    [
      'an unknown scope',
      rule('actors: any, actions: [read], branch_scope: all'),
      'policy.yaml:4: branch_scope cannot be "all".',
    ],
    [
      'a scope nothing heeds',
      rule('actors: any, actions: [branch_merge], branch_scope: unprotected'),
      '"branch_scope" limits read, change',
    ],
    [
      'a target scope nothing heeds',
      rule('actors: any, actions: [change], target_branch_scope: protected'),
      '"target_branch_scope" limits schema_apply',
    ],
    [
      'queries without invoke_query',
      rule('actors: any, actions: [read], queries: [a]'),
      '"queries" limits the action invoke_query',
    ],
    ['no queries', rule('actors: any, actions: [invoke_query], queries: []'), '"queries" is empty'],
    ['no graphs', rule('actors: any, actions: [read], graphs: []'), '"graphs" is empty'],
    ['no actions', rule('actors: any, actions: []'), '"actions" is empty'],
    ['no actors', rule('actions: [read]'), '"allow" needs "actors"'],
    ['actors in a word', rule('actors: ann, actions: [read]'), '"actors" without a key cannot be "ann"'],
    [
      'two kinds of actors',
      rule('actors: { group: a, actor: b }, actions: [read]'),
      'has one of: group, actor, tenant',
    ],
    ['a number for a name', rule('actors: { actor: 7 }, actions: [read]'), 'the actor must be a string'],
    ['an empty name', rule('actors: { actor: "" }, actions: [read]'), 'the actor is empty'],
    [
      'half a surrogate pair',
      rule('actors: { actor: "\\ud800" }, actions: [read]'),
      'half of a surrogate pair',
    ],
    [
      'half a surrogate pair in a graph',
      rule('actors: any, actions: [read], graphs: ["\\ud800"]'),
      'half of a surrogate pair',
    ],
    [
      'two rules of one id',
      'version: 1\nrules:\n  - { id: r, allow: { actors: any, actions: [read] } }\n  - { id: r, allow: { actors: any, actions: [read] } }\n',
      'policy.yaml:4: another rule has the id "r"',
    ],
    ['a key twice', 'version: 1\nversion: 1\nrules: []\n', 'policy.yaml:2: Map keys must be unique'],
    ['another version', 'version: 2\nrules: []\n', 'policy.yaml:1: the version of a policy must be 1'],
    ['no version', 'rules: []\n', 'must begin with "version: 1"'],
    ['no rules', 'version: 1\n', 'a policy needs "rules"'],
    ['rules that are no list', 'version: 1\nrules: { a: 1 }\n', 'policy.yaml:2: rules must be a list'],
    ['an alias', 'version: 1\ngroups: { a: &x [b], c: *x }\nrules: []\n', 'aliases are not supported'],
    ['nothing', '', 'a policy must be a map'],
    ['no YAML', 'version: 1\nrules: [\n', 'policy.yaml:'],
    ['__proto__ as a key', 'version: 1\n__proto__: {}\nrules: []\n', 'a policy has no key "__proto__"'],
    [
      'constructor as a scope',
      rule('actors: any, actions: [read], branch_scope: constructor'),
      'branch_scope cannot be "constructor"',
    ],
  ])('refuses %s, and says where', (_, text, message) => {
    expect(faults(text)).toContain(message);
  });

  test('tells all faults at once, in the order of the lines', () => {
    const lines = faults(
      'version: 2\nrule: 1\nrules:\n  - id: r\n    allow: { actors: any, actions: [nope] }\n',
    ).split('\n');
    expect(lines.map((line) => line.split(':')[1])).toEqual(['1', '2', '5']);
  });
});

describe('a policy in Cedar', () => {
  const ann = actor('ann', { groups: ['team'] });

  test('decides, and names rules by @id or by line', async () => {
    const policy = await readPolicy(
      `@id("team-reads")
permit(principal in Group::"team", action == Action::"read", resource in Graph::"work");

forbid(principal, action, resource == Branch::"work/secret");
`,
      'p.cedar',
    );
    expect(policy.decide(ann, { action: 'read', graph: 'work', branch: 'main' })).toEqual({
      allowed: true,
      rule: 'team-reads',
    });
    expect(policy.decide(ann, { action: 'read', graph: 'work', branch: 'secret' })).toEqual({
      allowed: false,
      rule: 'line 4',
    });
    expect(policy.decide(ann, { action: 'read', graph: 'home', branch: 'main' })).toEqual({ allowed: false });
  });

  test('"some branch" finds names it is told and names it is given a pattern for', async () => {
    const ask = async (condition: string, action: 'read' | 'change' = 'read') =>
      (
        await readPolicy(
          `permit(principal, action == Action::"read", resource in Graph::"g") when { ${condition} };`,
          'p.cedar',
        )
      ).decide(ann, { action, graph: 'g', branch: atLeastOne }).allowed;
    expect(await ask('resource == Branch::"g/release"')).toBe(true);
    expect(await ask('resource == Branch::"h/release"')).toBe(false);
    expect(await ask('resource.name like "feature/*"')).toBe(true);
    expect(await ask('resource.name == "x"')).toBe(true);
    expect(await ask('resource.name == "x"', 'change')).toBe(false);
    expect(await ask('principal in Group::"others"')).toBe(false);
  });

  test('"some query" likewise', async () => {
    const policy = await readPolicy(
      `@id("one") permit(principal, action == Action::"invoke_query", resource == StoredQuery::"g/find") when { context.branch.name == "main" };`,
      'p.cedar',
    );
    const ask = (graph: string, branch: string | typeof atLeastOne) =>
      policy.decide(ann, { action: 'invoke_query', graph, branch, query: atLeastOne });
    expect(ask('g', atLeastOne)).toEqual({ allowed: true, rule: 'one' });
    expect(ask('g', 'main').allowed).toBe(true);
    expect(ask('g', 'other').allowed).toBe(false);
    expect(ask('h', atLeastOne).allowed).toBe(false);
    expect(policy.hasAnyGrant(ann, 'g')).toBe(true);
    expect(policy.hasAnyGrant(ann, 'h')).toBe(false);
  });

  test('more than ten policies keep their names', async () => {
    const text = Array.from(
      { length: 12 },
      (_, index) => `permit(principal == Actor::"a${index}", action == Action::"read", resource);`,
    ).join('\n');
    const policy = await readPolicy(text, 'p.cedar');
    expect(policy.decide(actor('a10'), { action: 'read', graph: 'g', branch: 'b' }).rule).toBe('line 11');
    expect(policy.decide(actor('a2'), { action: 'read', graph: 'g', branch: 'b' }).rule).toBe('line 3');
  });

  test.each([
    ['a syntax error', '\npermit(principal, action resource);', 'p.cedar:2: '],
    [
      'an unknown action',
      '// é\npermit(principal, action == Action::"raed", resource);',
      'p.cedar:2: unrecognized action `Action::"raed"` (did you mean `Action::"read"`?)',
    ],
    ['an unknown type', 'permit(principal in Role::"x", action, resource);', 'p.cedar:1: '],
    [
      'an attribute that is not there',
      'permit(principal, action == Action::"read", resource)\nwhen { resource.protected };',
      'p.cedar:2: ',
    ],
    ['a template', 'permit(principal == ?principal, action, resource);', 'templates cannot be used'],
    [
      'two policies of one @id',
      '@id("a") permit(principal, action, resource);\n@id("a") forbid(principal, action, resource);',
      'two policies have the @id "a"',
    ],
  ])('%s is refused with its place', async (_, text, message) => {
    await expect(readPolicy(text, 'p.cedar')).rejects.toMatchObject({
      code: 'POLICY_INVALID',
      message: expect.stringContaining(message),
    });
  });

  test('knows protected branches if it is given some', async () => {
    const text = 'permit(principal, action == Action::"change", resource) unless { resource.protected };';
    const policy = await readPolicy(text, 'p.cedar', { protectedBranches: ['main'] });
    expect(policy.decide(ann, { action: 'change', graph: 'g', branch: 'main' }).allowed).toBe(false);
    expect(policy.decide(ann, { action: 'change', graph: 'g', branch: 'x' }).allowed).toBe(true);
    expect(policy.decide(ann, { action: 'change', graph: 'g', branch: atLeastOne }).allowed).toBe(true);
  });

  test('an empty file denies everything', async () => {
    const policy = await readPolicy('// nothing yet\n', 'p.cedar');
    expect(policy.decide(ann, { action: 'read', graph: 'g', branch: 'main' })).toEqual({ allowed: false });
    expect(policy.hasAnyGrant(ann, 'g')).toBe(false);
  });
});
