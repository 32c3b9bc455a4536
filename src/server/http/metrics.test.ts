import { expect, test } from 'vitest';
import { Metrics } from './metrics.js';

const idle = () => ({ calls: 0, writes: 0, unsent: 0 });
const linesOf = (text: string) => text.split('\n').filter((line) => /^trellis_(gate|commits)/.test(line));
const rejected = { outcome: 'rejected', actor: 'ada', label: 'Person', reason: 'AMBIGUOUS_MERGE' } as const;
const held = { outcome: 'held', actor: 'bob', label: 'KNOWS', reason: 'low_confidence' } as const;

test('rejected and held writes are counted by graph, actor, label and reason', async () => {
  const metrics = new Metrics(idle);
  metrics.refused('work', rejected);
  metrics.refused('work', rejected);
  metrics.refused('work', held);
  expect(linesOf(await metrics.textFor(() => true))).toEqual([
    'trellis_gate_rejections_total{graph="work",actor="ada",label="Person",reason="AMBIGUOUS_MERGE"} 2',
    'trellis_gate_held_total{graph="work",actor="bob",label="KNOWS",reason="low_confidence"} 1',
  ]);
});

test('graphs that the reader cannot see are counted together, without names', async () => {
  const metrics = new Metrics(idle);
  metrics.committed('secret');
  metrics.refused('secret', rejected);
  metrics.refused('other secret', { ...rejected, label: 'Plan' });
  metrics.refused('work', held);
  const text = await metrics.textFor((graph) => graph === 'work');
  expect(linesOf(text)).toEqual([
    'trellis_commits_total 1',
    'trellis_gate_rejections_total{reason="AMBIGUOUS_MERGE"} 2',
    'trellis_gate_held_total{graph="work",actor="bob",label="KNOWS",reason="low_confidence"} 1',
  ]);
  expect(text).not.toMatch(/secret|Plan|ada/);
});

test('names do not fill memory', async () => {
  const metrics = new Metrics(idle);
  for (let index = 0; index < 1_000; index++)
    metrics.refused('work', { ...rejected, actor: `actor ${index}`, label: `label ${index % 2}` });
  const lines = linesOf(await metrics.textFor(() => true));
  expect(lines).toHaveLength(202);
  expect(lines.filter((line) => line.includes('actor="other"'))).toHaveLength(2);
});
