import { describe, expect, test } from 'vitest';
import type { Actor } from '../../src/access/actor.js';
import { actions } from '../../src/access/permission.js';
import type { Policy } from '../../src/access/policy/policy.js';
import { parseCases, runCases } from '../../src/access/policy/policy-cases.js';
import { readPolicy } from '../../src/access/policy/read-policy.js';
import { parseTokens } from '../../src/access/tokens/token-file.js';
import { accessLimits } from '../../src/model/limits.js';
import { mentions, page, section } from './pages.js';

const { text } = page('docs/access.md');

/** The code blocks of a language whose text has this. */
function blocks(language: string, containing: string): string[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, name, code = '']) =>
    name === language && code.includes(containing) ? [code] : [],
  );
}

function who(id: string, ...groups: string[]): Actor {
  return { id, groups, scopes: [], source: 'token' };
}

function may(policy: Policy, actor: Actor, branch = 'main', graph = 'work'): string[] {
  return actions.filter(
    (action) => policy.decide(actor, { action, graph, branch, query: 'find_user' }).allowed,
  );
}

const policies = blocks('yaml', 'version: 1');
const recipes = await Promise.all(policies.map((policy) => readPolicy(policy, 'policy.yaml')));
const recipe = (id: string) => {
  const found = recipes.find(({ ruleNames }) => ruleNames.includes(id));
  if (found === undefined) throw new Error(`No recipe has the rule ${id}.`);
  return found;
};

describe('the recipes do what they say', () => {
  test('an agent that only reads', () => {
    expect(may(recipe('reader'), who('reader'))).toEqual(['read']);
    expect(may(recipe('reader'), who('reader'), 'main', 'home')).toEqual([]);
    expect(may(recipe('reader'), who('other'))).toEqual([]);
  });

  test('an agent that writes through the gate alone', () => {
    expect(may(recipe('writers-look-up'), who('scout', 'writers'), 'review')).toEqual(['read', 'gate_write']);
    expect(may(recipe('writers-look-up'), who('scout', 'writers'))).toEqual(['read']);
  });

  test('somebody who may do everything', () => {
    expect(may(recipe('admins'), who('ann'))).toEqual(actions);
    expect(may(recipe('admins'), who('bob'))).toEqual([]);
  });

  test('the cases of the page hold for its policy', () => {
    const [cases = ''] = blocks('yaml', '# cases.yaml');
    const outcomes = runCases(recipe('feature-branches'), parseCases(cases, 'cases.yaml'));
    expect(outcomes.map(({ asExpected }) => asExpected)).toEqual([true, true, true, true]);
  });

  test('the Cedar policy can be used', async () => {
    const [cedar = ''] = blocks('cedar', 'permit');
    const policy = await readPolicy(cedar, 'policy.cedar');
    expect(policy.ruleNames).toEqual(['team-reads', 'drafts-are-free', 'nobody-reads-the-archive']);
    expect(may(policy, who('x'), 'draft/a')).toEqual(['change']);
  });

  test('the file of tokens can be read', () => {
    const [tokens = ''] = blocks('json', 'hash');
    const whole = tokens.replaceAll(
      /sha256:([0-9a-f]{8})…/g,
      (_, start) => `sha256:${start.padEnd(64, '0')}`,
    );
    expect(parseTokens(whole, 'tokens.json').map(({ actor }) => actor)).toEqual(['ann', 'bot', 'bot']);
  });
});

test.each([...actions])('the action %s stands in the reference', (action) => {
  expect(mentions(section(page('docs/access.md'), '## Policies in YAML') ?? '', action)).toBe(true);
});

test.each(Object.entries(accessLimits))('the bound %s', (_, bound) => {
  expect(text).toContain(bound.toLocaleString('en-US'));
});
