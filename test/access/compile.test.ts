import { describe, expect, test } from 'vitest';
import { actions } from '../../src/access/permission.js';
import { loadCedar } from '../../src/access/policy/cedar.js';
import { cedarSchema } from '../../src/access/policy/cedar-schema.js';
import { compileRule } from '../../src/access/policy/compile-rule.js';
import { parsePolicyDocument } from '../../src/access/policy/parse-policy-document.js';
import { example } from './policies.js';

const cedar = await loadCedar();

/** The Cedar text that each rule of a policy means. */
function compiled(policy: string): string[] {
  return parsePolicyDocument(policy, 'policy.yaml').rules.map((rule) => {
    const printed = cedar.policyToText(compileRule(rule));
    if (printed.type === 'failure') throw new Error(JSON.stringify(printed.errors));
    return printed.text;
  });
}

function ruled(allow: string): string {
  return `version: 1\nrules: [{ id: r, allow: { actors: any, ${allow} } }]\n`;
}

describe('a rule in Cedar', () => {
  test('the example of the specification', () => {
    expect(compiled(example)).toEqual([
      '@id("agents-read-and-look-up")\npermit(principal in Group::"team", action in [Action::"read"], resource);',
      '@id("two-queries-only")\npermit(principal == Actor::"bot-7", action in [Action::"invoke_query"], resource) when { ["find_user", "list_orders"].contains(resource.name) };',
      '@id("feature-branches")\npermit(principal in Group::"team", action in [Action::"change", Action::"branch_create"], resource) when { (action in [Action::"branch_create"]) || (!resource.protected) };',
    ]);
  });

  test('everything a rule can say', () => {
    const [text] = compiled(`version: 1
rules:
  - id: all
    allow:
      actors: { tenant: acme }
      actions: [read, invoke_query, branch_merge]
      branch_scope: protected
      target_branch_scope: unprotected
      graphs: [work]
      queries: [find]
`);
    expect(text?.replaceAll(/ when /g, '\n  when ')).toBe(`@id("all")
permit(principal in Tenant::"acme", action in [Action::"read", Action::"invoke_query", Action::"branch_merge"], resource)
  when { resource in [Graph::"work"] }
  when { (action in [Action::"read", Action::"branch_merge"]) || ["find"].contains(resource.name) }
  when { (action in [Action::"invoke_query", Action::"branch_merge"]) || resource.protected }
  when { (action in [Action::"read", Action::"branch_merge"]) || context.branch.protected }
  when { (action in [Action::"read", Action::"invoke_query"]) || (!resource.protected) };`);
  });

  test.each([
    ['every action', `actions: [${actions.join(', ')}]`],
    ['branch_scope', 'actions: [read, change, gate_write, export], branch_scope: protected'],
    ['branch_scope of queries', 'actions: [invoke_query], branch_scope: unprotected, queries: [a]'],
    [
      'both scopes',
      `actions: [${actions.join(', ')}], branch_scope: protected, target_branch_scope: protected`,
    ],
    ['graphs', 'actions: [graph_list, graph_admin, read], graphs: [a, b]'],
  ])('%s is valid for the strict validator', (_, allow) => {
    const policies = {
      staticPolicies: Object.fromEntries(
        parsePolicyDocument(ruled(allow), 'p.yaml').rules.map((rule) => [rule.id, compileRule(rule)]),
      ),
    };
    expect(cedar.validate({ schema: cedarSchema({ protection: true }), policies })).toMatchObject({
      type: 'success',
      validationErrors: [],
    });
  });
});

describe('names cannot become logic', () => {
  const hostile = [
    'x", action, resource) when { true }; permit(principal, action, resource); //',
    'Group::"admin"',
    '"',
    '\\',
    '\\"',
    "'; drop",
    '$(x)',
    '__entity',
    '__proto__',
    'constructor',
    'ünï → 💥',
    '*',
    '{"__entity":{"type":"Actor","id":"root"}}',
  ];

  test.each(hostile)('%s', (name) => {
    const quoted = JSON.stringify(name);
    const document = parsePolicyDocument(
      `version: 1
protected_branches: [${quoted}]
groups: { ${quoted}: [${quoted}] }
rules:
  - id: ${quoted}
    allow: { actors: { group: ${quoted} }, actions: [invoke_query, read], graphs: [${quoted}], queries: [${quoted}], branch_scope: protected }
`,
      'p.yaml',
    );
    const [rule] = document.rules;
    if (rule === undefined) throw new Error('no rule');
    const printed = cedar.policyToText(compileRule(rule));
    if (printed.type === 'failure') throw new Error(JSON.stringify(printed.errors));
    // Read back, it is one policy with the shape of any other, and the name where names stand.
    expect(cedar.policySetTextToParts(printed.text)).toMatchObject({ policies: [printed.text] });
    const read = cedar.policyToJson(printed.text);
    if (read.type === 'failure') throw new Error(JSON.stringify(read.errors));
    expect(read.json.principal).toEqual({ op: 'in', entity: { type: 'Group', id: name } });
    expect(read.json.annotations).toEqual({ id: name });
    expect(read.json.conditions).toHaveLength(4);
  });
});
