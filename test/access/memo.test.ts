import { describe, expect, test } from 'vitest';
import { loadCedar } from '../../src/access/policy/cedar.js';
import { Memo } from '../../src/access/policy/memo.js';
import { parseDocument } from '../../src/access/policy/parse-document.js';
import { Policy } from '../../src/access/policy/policy.js';
import { yamlParts } from '../../src/access/policy/yaml-policy.js';
import { actor, example } from './policies.js';

describe('answers that are kept', () => {
  test('are made once', () => {
    const memo = new Memo<number>(2);
    let made = 0;
    const ask = (key: string) => memo.get(key, () => ++made);
    expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual([1, 1, 2, 1]);
  });

  test('are never more than the bound; the one not asked for the longest goes', () => {
    const memo = new Memo<string>(2);
    const ask = (key: string, value: string) => memo.get(key, () => value);
    ask('a', '1');
    ask('b', '2');
    ask('a', '-');
    ask('c', '3');
    expect(memo.size).toBe(2);
    expect(ask('a', 'again')).toBe('1');
    expect(ask('b', 'again')).toBe('again');
  });
});

test('Cedar is asked once for each actor, action and resource', async () => {
  const cedar = await loadCedar();
  let asked = 0;
  const counting: typeof cedar = {
    ...cedar,
    statefulIsAuthorized: (call) => {
      asked += 1;
      return cedar.statefulIsAuthorized(call);
    },
  };
  const policy = new Policy(counting, yamlParts(parseDocument(example, 'p.yaml')));
  const ask = (id: string, branch: string) =>
    policy.decide(actor(id), { action: 'read', graph: 'g', branch }).allowed;
  for (let i = 0; i < 100; i += 1) expect([ask('ann', 'main'), ask('eve', 'main')]).toEqual([true, false]);
  expect(asked).toBe(2);
  ask('ann', 'other');
  expect(asked).toBe(3);
});
