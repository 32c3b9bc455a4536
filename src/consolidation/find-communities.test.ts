import { expect, test } from 'vitest';
import { Deadline } from '../bounds/deadline.js';
import { findCommunities } from './find-communities.js';
import { louvainCommunities } from './louvain.js';
import { WeightedGraph } from './weighted-graph.js';

/** Groups of five that all know each other, in a ring. */
function ringOfGroups(groups: number): WeightedGraph {
  const ties = new WeightedGraph();
  const add = (a: number, b: number) => ties.add({ id: a, name: `n${a}` }, { id: b, name: `n${b}` }, 1);
  for (let group = 0; group < groups; group++) {
    const first = group * 5;
    for (let a = first; a < first + 5; a++) for (let b = a + 1; b < first + 5; b++) add(a, b);
    add(first, ((group + 1) % groups) * 5);
  }
  return ties;
}

test.each([20, 400])('%i groups are found, on whichever thread', async (groups) => {
  const ties = ringOfGroups(groups);
  const communities = await findCommunities(ties, new Deadline(Number.POSITIVE_INFINITY));
  expect(communities).toEqual(louvainCommunities(ties));
  for (let node = 0; node < ties.nodes; node += 5)
    expect(new Set(communities?.slice(node, node + 5)).size).toBe(1);
});

test('trust 20: communities that take too long are given up', async () => {
  expect(await findCommunities(ringOfGroups(400), new Deadline(0))).toBeUndefined();
});

test('several ties between two nodes make one that is the stronger', () => {
  const ties = new WeightedGraph();
  const [a, b, c] = [
    { id: 7, name: 'a' },
    { id: 9, name: 'b' },
    { id: 8, name: 'c' },
  ];
  ties.add(a, b, 0.5);
  ties.add(b, a, 0.25);
  ties.add(a, a, 1);
  ties.add(a, c, 0);
  expect(ties).toMatchObject({ names: ['a', 'b'], from: [0], to: [1], weights: [0.75] });
});
