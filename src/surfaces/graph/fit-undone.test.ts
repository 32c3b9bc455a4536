import { expect, test } from 'vitest';
import { fitUndone } from './fit-undone.js';

const node = (name: string) => ({ change: 'added' as const, type: 't', name, observations: [] });
const commit = (id: string, count: number) => ({
  commit_id: id,
  changes: { nodes: Array.from({ length: count }, (_, index) => node(`${index}`)), edges: [] },
  left: [{ kind: 'divergent_update', id: 'node/t/x' }],
});

test('what fits is unchanged', () => {
  const all = [commit('a', 2), commit('b', 3)];
  expect(fitUndone(all)).toEqual({ undone: all });
});

test('what does not fit is counted: changes of a commit, then whole commits', () => {
  const { undone, more } = fitUndone([commit('a', 2), commit('b', 100), commit('c', 1)], 1_000);
  expect(more).toBe(1);
  expect(undone.map(({ commit_id }) => commit_id)).toEqual(['a', 'b']);
  const [first, second] = undone;
  expect(first).toEqual(commit('a', 2));
  const shown = second?.changes.nodes.length ?? 0;
  expect(shown).toBeGreaterThan(0);
  expect(second).toMatchObject({ left: [{ id: 'node/t/x' }], more: 100 - shown });
  expect(JSON.stringify(undone).length).toBeLessThan(1_200);
});
