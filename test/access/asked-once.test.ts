import { expect, test } from 'vitest';
import { loadCedar } from '../../src/access/policy/cedar.js';
import { parseDocument } from '../../src/access/policy/parse-document.js';
import { Policy } from '../../src/access/policy/policy.js';
import { yamlParts } from '../../src/access/policy/yaml-policy.js';
import { actor, example } from './policies.js';

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
