import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshSeed } from '../../bench/lib/random.js';
import { blameNode, type NodeBlame } from '../../src/engine/history/blame-node.js';
import { purgeText } from '../../src/engine/history/purge-text.js';
import { undo } from '../../src/engine/history/undo.js';
import { requireNode } from '../../src/engine/require-nodes.js';
import { edgeKey } from '../../src/model/edge.js';
import { canonicalJson } from '../../src/model/json.js';
import type { Node } from '../../src/model/node.js';
import type { Reader } from '../../src/store/reader.js';
import { times } from '../helpers/full.js';
import { databaseKinds } from '../helpers/stores.js';
import { RandomHistory, step } from './random-history.js';
import { author, Repository } from './repository.js';

const seed = Number(process.env['TRELLIS_TEST_SEED'] ?? freshSeed());
const histories = times(100, 1_000);
const places = [
  { name: 'SQLite in memory', open: () => Repository.inMemory(), runs: histories },
  ...databaseKinds.map((kind) => ({
    ...{ name: kind.kind, open: () => Repository.on(kind), runs: Math.ceil(histories / 30) },
  })),
];

/** The values of a state, by what they are values of. */
type Values = ReadonlyMap<string, string>;

async function valuesOf(reader: Reader): Promise<Values> {
  const values = new Map<string, string>();
  const nodes = await reader.nodes();
  for (const { id, type, tags, props } of nodes) {
    values.set(`node ${id}`, '');
    values.set(`type ${id}`, type);
    if (tags.length > 0) values.set(`tags ${id}`, canonicalJson(tags));
    for (const [key, value] of Object.entries(props)) values.set(`prop ${id} ${key}`, canonicalJson(value));
  }
  for (const { node, ordinal, text } of await reader.observationsOf(nodes.map(({ id }) => id)))
    values.set(`observation ${node} ${ordinal}`, text);
  for (const edge of await reader.edges())
    values.set(`edge ${edgeKey(edge)}`, canonicalJson([edge.weight, edge.props]));
  return values;
}

/** The same, from what `blameNode` says of every node. */
async function blamedIn(reader: Reader): Promise<Map<string, string | undefined>> {
  const blamed = new Map<string, string | undefined>();
  for (const node of await reader.nodes()) {
    const blame = await blameIn(reader, node);
    blamed.set(`node ${node.id}`, blame.node.commit?.id);
    blamed.set(`type ${node.id}`, blame.type.commit?.id);
    if (blame.tags !== undefined) blamed.set(`tags ${node.id}`, blame.tags.commit?.id);
    for (const [key, { commit }] of blame.props) blamed.set(`prop ${node.id} ${key}`, commit?.id);
    for (const [ordinal, { commit }] of blame.observations)
      blamed.set(`observation ${node.id} ${ordinal}`, commit?.id);
    for (const [key, { commit }] of blame.edges) blamed.set(`edge ${key}`, commit?.id);
  }
  return blamed;
}

async function blameIn(reader: Reader, node: Node): Promise<NodeBlame> {
  const [observations, edges] = [await reader.observationsOf([node.id]), await reader.edgesOf([node.id])];
  return blameNode(reader, { node, observations, edges });
}

/** Replays a history: a value that neither the parent nor the merged commit had appeared with the commit. */
async function replay(on: Repository, commits: readonly string[]) {
  const states = new Map<string, { values: Values; origins: ReadonlyMap<string, string> }>();
  for (const id of commits) {
    const { parent, mergedParent } = await on.store.commit(on.graph, id);
    const values = await on.store.read({ graph: on.graph, commit: id }, valuesOf);
    const before = [parent, mergedParent].flatMap((one) => states.get(one ?? '') ?? []);
    const origins = new Map(
      [...values].map(([key, value]) => {
        const from = before.find((state) => state.values.get(key) === value);
        return [key, from?.origins.get(key) ?? id];
      }),
    );
    states.set(id, { values, origins });
  }
  return states;
}

describe.each(places)(`blame of random histories, seed ${seed}: $name`, ({ open, runs }) => {
  let place: Repository;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.dispose());

  test(
    'every value is blamed on the commit at which it appears when the history is replayed',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (played) => {
          const history = new RandomHistory(await place.another());
          await history.play(played);
          const { on, seen } = history;
          const commits = [...new Set(seen.map(({ commit }) => commit))];
          const states = await replay(on, commits);
          const edgesOfStubs = (key: string, blamed: ReadonlyMap<string, unknown>) =>
            key.startsWith('edge ') && !blamed.has(key);
          for (const id of commits) {
            const blamed = await on.store.read({ graph: on.graph, commit: id }, blamedIn);
            // Edges between stubs belong to no node.
            const expected = [...(states.get(id)?.origins ?? [])].filter(
              ([key]) => !edgesOfStubs(key, blamed),
            );
            expect(Object.fromEntries(blamed)).toEqual(Object.fromEntries(expected));
          }
          for (const branch of history.branches) {
            const head = await on.head(branch);
            if (head === '') continue;
            const [now, then] = await Promise.all([
              on.store.read({ graph: on.graph, branch }, blamedIn),
              on.store.read({ graph: on.graph, commit: head }, blamedIn),
            ]);
            expect(now).toEqual(then);
          }
        }),
        { seed, numRuns: runs },
      );
    },
    60_000 + 500 * runs,
  );
});

describe.each(databaseKinds)('blame on $kind', (kind) => {
  let on: Repository;
  beforeEach(async () => {
    on = await Repository.on(kind);
  });
  afterEach(() => on.dispose());

  const blame = (name: string, branch = 'main') =>
    on.store.read({ graph: on.graph, branch }, async (reader) =>
      blameIn(reader, await requireNode(reader, { name })),
    );

  test('says who, with what and why, and keeps to the provenance of each fact', async () => {
    const full = { actor: 'bot', tool: 'note', client: 'zed/1', message: 'from a call' };
    await on.create('main', 'ann', ['likes tea']);
    await on.write(
      'main',
      async ({ rows }) => {
        const node = await requireNode(rows, { name: 'ann' });
        const stamp = { source: 'call', confidence: 0.7 };
        await rows.putNodes([
          { ...node, props: { age: 7 }, provenance: { source: 'x', properties: { age: stamp } } },
        ]);
        await rows.putObservations([{ node: node.id, text: 'is seven', provenance: stamp }]);
      },
      full,
    );
    const { node, props, observations } = await blame('ann');
    expect(node.commit).toMatchObject(author);
    expect(observations.get(1)).toMatchObject({ commit: author, provenance: null });
    expect(observations.get(2)).toMatchObject({
      commit: full,
      provenance: { source: 'call', confidence: 0.7 },
    });
    expect(props.get('age')).toMatchObject({ commit: full, provenance: { source: 'call', confidence: 0.7 } });
  });

  test('the stamp of a node is about what came with it, not about what was changed since', async () => {
    const ingested = { source: 'crm', confidence: 0.9 };
    await on.write('main', async ({ rows }) => {
      const [made] = await rows.addIdentities([{ type: 'person', name: 'ann' }]);
      const props = { age: 7, city: 'Lisbon' };
      await rows.putNodes([
        { id: made?.node ?? 0, type: 'person', name: 'ann', props, provenance: ingested },
      ]);
    });
    await on.set('main', 'ann', 'age', 8);
    const { type, props } = await blame('ann');
    expect([type.provenance, props.get('city')?.provenance]).toEqual([ingested, ingested]);
    expect(props.get('age')).toMatchObject({ commit: author, provenance: null });
  });

  test('what a merge brought is blamed on the branch, what it decided on the merge', async () => {
    await on.create('main', 'ann', ['one']);
    await on.fork('try');
    const told = await on.observe('try', 'ann', 'two');
    await on.set('try', 'ann', 'age', 7);
    await on.set('main', 'ann', 'height', 1);
    const { commit } = await on.merge('try');
    const both = await blame('ann');
    expect(both.observations.get(2)?.commit?.id).toBe(told?.id);
    expect(both.props.get('age')?.commit?.branch).toBe('try');
    expect(commit).not.toBeNull();
    // A merge of a merge.
    await on.fork('again');
    await on.merge('main', 'again');
    expect((await blame('ann', 'again')).observations.get(2)?.commit?.id).toBe(told?.id);
  });

  test('what an undo restored is blamed on the undo; other values keep theirs', async () => {
    await on.create('main', 'ann', ['one', 'two']);
    const made = await on.head();
    const gone = await on.replaceObservation('main', 'ann', 2, undefined);
    const { commit } = await undo(on.store, { graph: on.graph, commits: [gone?.id ?? ''], author });
    const { observations } = await blame('ann');
    expect(observations.get(1)?.commit?.id).toBe(made);
    expect(observations.get(2)?.commit?.id).toBe(commit?.id);
  });

  test('a purge changes texts, not who wrote them', async () => {
    await on.create('main', 'ann', ['the secret']);
    const made = await on.head();
    await purgeText(on.store, { graph: on.graph, text: 'secret', author });
    expect((await blame('ann')).observations.get(1)?.commit?.id).toBe(made);
  });

  test('after a collection, what is no longer known is said to be unknown', async () => {
    await on.create('main', 'ann', ['one']);
    const made = await on.head();
    await on.set('main', 'ann', 'age', 7);
    await on.set('main', 'ann', 'height', 1);
    await on.fork('try');
    const told = await on.observe('try', 'ann', 'two');
    await on.merge('try');
    const before = await blame('ann');
    expect(before.observations.get(2)?.commit?.id).toBe(told?.id);
    await on.store.deleteBranch(on.graph, 'try');
    await on.store.collect(on.graph, { before: Date.now() + 60_000 });
    const after = await blame('ann');
    expect(after.observations.get(1)?.commit?.id).toBe(made);
    const pairs = (one: NodeBlame) => [...one.props, ...one.observations, ['type', one.type] as const];
    const known = new Map(pairs(before).map(([key, { commit }]) => [key, commit?.id]));
    for (const [key, { commit }] of pairs(after))
      expect([null, known.get(key)]).toContain(commit?.id ?? null);
    expect(after.props.get('age')?.commit).toBeNull();
    expect(after.observations.get(2)?.commit).toBeNull();
  });

  test('a node of a thousand versions', async () => {
    await on.create('main', 'ann', ['one']);
    const made = await on.head();
    await on.set('main', 'ann', 'kept', 1);
    const kept = await on.head();
    for (let round = 0; round < times(300, 2_000); round++) await on.set('main', 'ann', 'count', round);
    const { type, props } = await blame('ann');
    expect([type.commit?.id, props.get('kept')?.commit?.id]).toEqual([made, kept]);
    expect(props.get('count')?.commit?.id).toBe(await on.head());
  });
});
