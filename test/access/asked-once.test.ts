import { describe, expect, test } from 'vitest';
import { actions, atLeastOne } from '../../src/access/permission.js';
import { type Cedar, loadCedar } from '../../src/access/policy/cedar.js';
import { compilePolicyDocument } from '../../src/access/policy/compile-policy-document.js';
import { parseCedarPolicy } from '../../src/access/policy/parse-cedar-policy.js';
import { parsePolicyDocument } from '../../src/access/policy/parse-policy-document.js';
import { Policy, type PolicyParts } from '../../src/access/policy/policy.js';
import { actor, example } from './policies.js';

const cedar = await loadCedar();

/** A policy, and how often Cedar was asked. */
function counted(
  partsOf: (counting: Cedar) => PolicyParts,
  remembered?: number,
): { readonly policy: Policy; asked(): number } {
  let asked = 0;
  const counting: Cedar = {
    ...cedar,
    statefulIsAuthorized: (call) => {
      asked += 1;
      return cedar.statefulIsAuthorized(call);
    },
    isAuthorizedPartial: (call) => {
      asked += 1;
      return cedar.isAuthorizedPartial(call);
    },
  };
  return { policy: new Policy(counting, partsOf(counting), remembered), asked: () => asked };
}

const yaml = (text: string) => counted(() => compilePolicyDocument(parsePolicyDocument(text, 'p.yaml')));
const inCedar = (text: string, remembered?: number) =>
  counted((counting) => parseCedarPolicy(counting, text, 'p.cedar'), remembered);

test('Cedar is asked once for each actor, action and resource', () => {
  const { policy, asked } = yaml(example);
  const ask = (id: string, branch: string) =>
    policy.decide(actor(id), { action: 'read', graph: 'g', branch }).allowed;
  for (let i = 0; i < 100; i += 1) expect([ask('ann', 'main'), ask('bot-7', 'main')]).toEqual([true, true]);
  expect(asked()).toBe(2);
  ask('ann', 'other');
  expect(asked()).toBe(3);
});

describe('trust 30: names that a caller makes up', () => {
  test('cost somebody whom no rule is about not a single question to Cedar', () => {
    const { policy, asked } = yaml(example);
    const eve = actor('eve');
    for (let i = 0; i < 1_000; i += 1) {
      expect(policy.hasAnyGrant(eve, `graph ${i}`)).toBe(false);
      expect(policy.decide(eve, { action: 'read', graph: 'g', branch: `branch ${i}` }).allowed).toBe(false);
    }
    expect(asked()).toBe(0);
  });

  test('are one question to a policy in YAML, whichever graph, branch or query they are of', () => {
    const { policy, asked } = yaml(example);
    const bot = actor('bot-7');
    const ask = (name: string) => {
      expect(policy.hasAnyGrant(bot, name)).toBe(true);
      for (const action of actions) policy.decide(bot, { action, graph: 'g', branch: name, query: name });
      policy.decide(bot, { action: 'read', graph: name, branch: 'main' });
    };
    ask('first');
    const once = asked();
    for (let i = 0; i < 1_000; i += 1) ask(`made up ${i}`);
    expect(asked()).toBe(once);
  });

  test('are one question to rules in Cedar that do not look at names', () => {
    const { policy, asked } = inCedar(`
      permit(principal, action == Action::"read", resource in Graph::"work");
      forbid(principal, action, resource == Branch::"work/secret");`);
    const ann = actor('ann');
    const ask = (name: string) => [
      policy.hasAnyGrant(ann, name),
      policy.decide(ann, { action: 'read', graph: 'work', branch: name }).allowed,
    ];
    expect(ask('first')).toEqual([false, true]);
    const once = asked();
    for (let i = 0; i < 1_000; i += 1) expect(ask(`made up ${i}`)).toEqual([false, true]);
    expect(asked()).toBe(once);
    expect(ask('secret')).toEqual([false, false]);
  });

  test('are one question to rules in Cedar that do look at names, as long as they are of graphs', () => {
    const { policy, asked } = inCedar(
      'permit(principal, action == Action::"read", resource) when { resource.name like "draft/*" };',
    );
    const ann = actor('ann');
    policy.hasAnyGrant(ann, 'first');
    const once = asked();
    for (let i = 0; i < 1_000; i += 1) expect(policy.hasAnyGrant(ann, `made up ${i}`)).toBe(true);
    expect(asked()).toBe(once);
  });

  test('push out what was remembered longest ago, so that only so many are kept', () => {
    const { policy, asked } = inCedar(
      'permit(principal, action == Action::"read", resource) when { resource.name like "draft/*" };',
      100,
    );
    const ann = actor('ann');
    const ask = (branch: string) => policy.decide(ann, { action: 'read', graph: 'g', branch }).allowed;
    for (let i = 0; i <= 100; i += 1) ask(`draft/${i}`);
    expect(asked()).toBe(101);
    ask('draft/100');
    expect(asked()).toBe(101);
    ask('draft/0');
    expect(asked()).toBe(102);
  });
});

test('trust 30: some branch is looked for only among the rules that are about the actor', () => {
  const others = Array.from(
    { length: 100 },
    (_, i) =>
      `permit(principal == Actor::"other-${i}", action == Action::"read", resource) when { resource.name like "${i}*" };`,
  );
  let largest = 0;
  const counting: Cedar = {
    ...cedar,
    isAuthorizedPartial: (call) => {
      largest = Math.max(largest, Object.keys(call.policies.staticPolicies ?? {}).length);
      return cedar.isAuthorizedPartial(call);
    },
  };
  const own =
    'permit(principal in Group::"team", action, resource) when { resource is Branch && resource.name like "x*" };';
  const policy = new Policy(counting, parseCedarPolicy(counting, [...others, own].join('\n'), 'p.cedar'));
  const ann = actor('ann', { groups: ['team'] });
  expect(policy.decide(ann, { action: 'read', graph: 'g', branch: atLeastOne }).allowed).toBe(true);
  expect(largest).toBe(1);
});

test('trust 30: what Cedar cannot decide is not allowed, and asked again', () => {
  let broken = true;
  const failing: Cedar = {
    ...cedar,
    statefulIsAuthorized: (call) => {
      if (broken) throw new Error('unreachable');
      return cedar.statefulIsAuthorized(call);
    },
  };
  const policy = new Policy(failing, compilePolicyDocument(parsePolicyDocument(example, 'p.yaml')));
  const ask = () => policy.decide(actor('ann'), { action: 'read', graph: 'g', branch: 'main' });
  expect(ask).toThrow('unreachable');
  expect(() => policy.hasAnyGrant(actor('ann'), 'g')).toThrow('unreachable');
  broken = false;
  expect(ask().allowed).toBe(true);
});
