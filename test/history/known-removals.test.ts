import { describe, expect, test } from 'vitest';
import { mergeBranches } from '../../src/engine/history/merge/merge-branches.js';
import { undo } from '../../src/engine/history/undo.js';
import type { Commit } from '../../src/model/commit.js';
import type { Store } from '../../src/store/store-contract.js';
import type { Writer } from '../../src/store/writer.js';
import { changedStore } from '../helpers/large-branch.js';
import { databaseKinds } from '../helpers/stores.js';
import { author, Repository } from './repository.js';

describe.each(databaseKinds)('what a merge or an undo removes, on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);

  /** Histories that remove all kinds of things, with what each commit says of itself and the state it leaves. */
  const histories: Readonly<Record<string, (on: Repository, store: Store) => Promise<void>>> = {
    'of a merge': async (on, store) => {
      await on.fork('draft');
      await on.remove('draft', 'a', 'c');
      await on.unrelate('draft', 'e knows f');
      await on.replaceObservation('draft', 'd', 2, undefined);
      await on.relate('main', 'g knows h');
      await mergeBranches(store, { graph: on.graph, source: 'draft', author });
      await undo(store, { graph: on.graph, commits: [await on.head()], author });
    },
    'of an undo whose nodes others have named since': async (on, store) => {
      const made = await on.create('main', 'x', ['one', 'two']);
      const related = await on.relate('main', 'x knows a', 'x knows x', 'ghost knows x');
      const named = await on.create('main', 'y', ['three']);
      await on.relate('main', 'b knows y');
      const commits = [named, related, made].map((commit) => commit?.id ?? '');
      await undo(store, { graph: on.graph, commits, author });
    },
    'on a branch that inherits': async (on, store) => {
      await on.fork('other');
      await on.fork('draft', 'other');
      await on.remove('draft', 'a', 'c');
      await on.create('other', 'z', ['last']);
      await mergeBranches(store, { graph: on.graph, source: 'draft', target: 'other', author });
      await undo(store, { graph: on.graph, branch: 'other', commits: [await on.head('other')], author });
    },
  };

  test.each(Object.entries(histories))('%s is the same if it is read again', async (_, run) => {
    const outcomes: unknown[] = [];
    for (const isKnown of [true, false]) {
      const on = await newRepository();
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
        await on.create('main', name, ['one', `of ${name}`]);
      await on.relate('main', 'a knows b', 'c knows c', 'd knows a', 'e knows f', 'stub knows c');
      await run(on, isKnown ? on.store : forgetful(on.store));
      outcomes.push(await allOf(on));
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
  });
});

/** A store whose writes read again what they remove. */
function forgetful(store: Store): Store {
  const writePlanned: Store['writePlanned'] = (target, by, { check, work }, stamp) =>
    store.writePlanned(target, by, { check, work: (writer) => work(unknowing(writer)) }, stamp);
  return changedStore(store, { writePlanned });
}

function unknowing(writer: Writer): Writer {
  const removals: Partial<Writer> = {
    removeNodes: (ids) => writer.removeNodes(ids),
    removeObservations: (places) => writer.removeObservations(places),
    removeEdges: (edges) => writer.removeEdges(edges),
  };
  return new Proxy(writer, {
    get: (known, name) => {
      if (name in removals) return Reflect.get(removals, name);
      const value = Reflect.get(known, name, known);
      return typeof value === 'function' ? value.bind(known) : value;
    },
  });
}

async function allOf(on: Repository): Promise<unknown> {
  const commits: unknown[] = [];
  for (const { name } of await on.store.branches(on.graph)) {
    commits.push(await on.look({ branch: name }));
    for (const commit of await on.store.commits({ graph: on.graph, branch: name }))
      commits.push([commit.counts, await touchedBy(on, commit)]);
  }
  return commits;
}

/** By names: numbers differ from graph to graph. */
async function touchedBy(on: Repository, commit: Commit): Promise<unknown> {
  const { nodes, edges } = await on.store.touchedBy(on.graph, commit);
  return on.store.read({ graph: on.graph }, async (reader) => {
    const ids = [...new Set([...nodes, ...edges.flatMap(({ from, to }) => [from, to])])];
    const names = new Map((await reader.identitiesOf(ids)).map(({ node, name }) => [node, name]));
    return {
      nodes: nodes.map((id) => names.get(id)).sort(),
      edges: edges.map(({ from, type, to }) => `${names.get(from)} ${type} ${names.get(to)}`).sort(),
    };
  });
}
