import { describe, expect, test } from 'vitest';
import { parseCases, runCases } from '../../src/access/policy/policy-cases.js';
import { readPolicy } from '../../src/access/policy/read-policy.js';
import { actor } from './policies.js';

const yaml = `version: 1
rules:
  - { id: readers, allow: { actors: { group: team }, actions: [read], token_scopes: [memory.read] } }
  - { id: writers, allow: { actors: any, actions: [change], token_scopes: [memory.read, memory.write] } }
`;
const cedar = `@id("readers")
permit(principal in Group::"team", action == Action::"read", resource) when { principal in Scope::"memory.read" };
@id("writers")
permit(principal in Scope::"memory.write", action == Action::"change", resource) when { principal in Scope::"memory.read" };
`;

describe.each([
  ['YAML', yaml, 'p.yaml'],
  ['Cedar', cedar, 'p.cedar'],
])('trust 24: token scopes in a policy in %s', (_, text, path) => {
  const allowed = async (action: 'read' | 'change', groups: string[], scopes: string[]) =>
    (await readPolicy(text, path)).decide(actor('ann', { groups, scopes }), {
      ...{ action, graph: 'g', branch: 'main' },
    });

  test('a rule holds only for tokens that carry all its scopes', async () => {
    expect(await allowed('read', ['team'], ['memory.read'])).toEqual({ allowed: true, rule: 'readers' });
    expect(await allowed('read', ['team'], ['other'])).toEqual({ allowed: false });
    expect(await allowed('read', ['team'], [])).toEqual({ allowed: false });
    expect(await allowed('read', [], ['memory.read'])).toEqual({ allowed: false });
    expect(await allowed('change', [], ['memory.write', 'memory.read'])).toMatchObject({ allowed: true });
    expect(await allowed('change', [], ['memory.write'])).toEqual({ allowed: false });
  });

  test('an actor is remembered with its scopes: a lesser token gets no more than it has', async () => {
    const policy = await readPolicy(text, path);
    const ask = (scopes: string[]) =>
      policy.decide(actor('ann', { groups: ['team'], scopes }), {
        action: 'read',
        graph: 'g',
        branch: 'main',
      }).allowed;
    expect([ask(['memory.read']), ask([]), ask(['memory.read'])]).toEqual([true, false, true]);
  });
});

test('trust 24: expected cases may have scopes', async () => {
  const cases = parseCases(
    `- { actor: ann, groups: [team], scopes: [memory.read], action: read, expect: allow }
- { actor: ann, groups: [team], action: read, expect: deny }
`,
    'cases.yaml',
  );
  const outcomes = runCases(await readPolicy(yaml, 'p.yaml'), cases);
  expect(outcomes.map(({ asExpected }) => asExpected)).toEqual([true, true]);
});

test('an empty list of scopes is refused: it would look like a limit and be none', async () => {
  await expect(readPolicy(yaml.replace('[memory.read]', '[]'), 'p.yaml')).rejects.toThrow(
    '"token_scopes" is empty; leave it out to mean any token.',
  );
});
