import { expect, test } from 'vitest';
import type { Actor } from '../../src/access/actor.js';
import { actions, atLeastOne } from '../../src/access/permission.js';
import { readPolicy } from '../../src/access/policy/read-policy.js';
import { actor } from './policies.js';

const policy = await readPolicy(
  `version: 1
groups: { admins: [root] }
protected_branches: [main]
rules:
  - id: admins
    allow: { actors: { group: admins }, actions: [${actions.join(', ')}] }
  - id: one-query
    allow: { actors: { actor: bot }, actions: [invoke_query], graphs: [a], queries: [find] }
`,
  'policy.yaml',
);

/** Names that would be somebody or something else, if they were put together rather than compared. */
const pretenders: readonly Actor[] = [
  actor('root"'),
  actor('root\0'),
  actor(' root'),
  actor('ROOT'),
  actor('Actor::"root"'),
  actor('root", Group::"admins'),
  actor('x', { groups: ['Group::"admins"', 'admins"', 'Admins', 'admins\0'] }),
  actor('x', { tenant: 'admins' }),
  actor('admins'),
  actor('__proto__'),
  actor('constructor'),
  actor('{"__entity":{"type":"Actor","id":"root"}}'),
  actor('\ud800'),
  actor('x', { groups: ['\udc00'] }),
  actor(''),
];

test.each(pretenders.map((who) => [JSON.stringify([who.id, who.groups, who.tenant]), who] as const))(
  '%s is nobody',
  (_, who) => {
    for (const action of actions) {
      expect(policy.decide(who, { action, graph: 'a', branch: 'main', query: 'find' }).allowed).toBe(false);
      expect(policy.decide(who, { action, graph: 'a', branch: atLeastOne, query: atLeastOne }).allowed).toBe(
        false,
      );
    }
    expect(policy.hasAnyGrant(who, 'a')).toBe(false);
  },
);

const bot = actor('bot');
const allowedFor = (graph: string, query: string, branch = 'main') =>
  policy.decide(bot, { action: 'invoke_query', graph, branch, query }).allowed;

test('a query is allowed on its graph under its name, and under nothing that looks like it', () => {
  expect(allowedFor('a', 'find')).toBe(true);
  for (const [graph, query] of [
    ['a/find', ''],
    ['a', 'b/find'],
    ['a', 'find"'],
    ['a', 'FIND'],
    ['a/', 'find'],
    ['a%2F', 'find'],
    ['', 'a/find'],
    ['a"', 'find'],
    ['a', 'find\0'],
    ['a\ud800', 'find'],
    ['__proto__', 'find'],
  ] as const)
    expect([graph, query, allowedFor(graph, query)]).toEqual([graph, query, false]);
});

test('a slash in the name of a graph does not make one thing of two', async () => {
  const raw = await readPolicy(
    '@id("x") permit(principal, action == Action::"read", resource == Branch::"a/b/c");',
    'p.cedar',
  );
  const may = (graph: string, branch: string) => raw.decide(bot, { action: 'read', graph, branch }).allowed;
  expect(may('a', 'b/c')).toBe(true);
  expect(may('a/b', 'c')).toBe(false);
});

test('a branch or query with a name that is no text is denied, and so is everything on it', () => {
  const root = actor('root');
  expect(policy.decide(root, { action: 'read', graph: 'a', branch: '\ud800' }).allowed).toBe(false);
  expect(policy.decide(root, { action: 'read', graph: '\udfff', branch: 'main' }).allowed).toBe(false);
});

test('a branch or a graph that is left out is denied', () => {
  const root = actor('root');
  expect(policy.decide(root, { action: 'read', graph: 'a' }).allowed).toBe(false);
  expect(policy.decide(root, { action: 'read', branch: 'main' }).allowed).toBe(false);
  expect(policy.decide(root, { action: 'read' }).allowed).toBe(false);
});
