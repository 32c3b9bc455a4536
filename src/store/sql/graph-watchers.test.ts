import { expect, test } from 'vitest';
import type { Branch } from '../../model/graph-record.js';
import type { GraphChange } from '../graph-change.js';
import { type GraphState, GraphWatchers } from './graph-watchers.js';

test('a graph whose branches are gone already is gone, although a cluster still shows it', async () => {
  const main: Branch = {
    ...{ id: 1, name: 'main', parent: null, forkSeq: 0, headSeq: 0, headCommit: null },
    ...{ schemaSeq: null, purges: 0, createdAt: 0 },
  };
  let state: GraphState = { id: 1, branches: [main] };
  const watchers = new GraphWatchers({
    load: async () => state,
    watchOthers: () => () => {},
    report: (error) => expect.fail(String(error)),
  });
  const heard: GraphChange[] = [];
  await watchers.watch('g', (change) => heard.push(change));
  state = { id: 1, branches: [] };
  await watchers.refresh('g');
  expect(heard).toEqual([{ kind: 'gone' }]);
});
