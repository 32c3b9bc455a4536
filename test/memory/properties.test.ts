import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { replaceGraph } from '../../src/compat/replace-graph.js';
import { Graph } from '../../src/engine/graph.js';
import { readGraph } from '../../src/engine/read/read-graph.js';
import { searchSubstring } from '../../src/engine/read/search-substring.js';
import { addObservationsStrict } from '../../src/engine/write/add-observations-strict.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import { searchRanked } from '../../src/search/search-ranked.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

const author = { actor: 'ann', tool: 'test' };
const stamp = { source: 'a form', confidence: 0.5 };
const props = { email: 'ann@example.org', role: 'Engineer', age: 30, _stub: 'marked' };
const provenance = {
  ...stamp,
  merge_keys: ['email'],
  properties: { email: stamp, role: stamp, age: stamp },
};

describe.each(storeKinds)('what the gate wrote, seen as strings ($kind)', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    graph = new Graph(scratch.store, defaultGraph);
    await graph.write(author, async (tx) => {
      await createNodesLenient(tx, [{ type: 'person', name: 'Ann', observations: ['likes tea'] }]);
      await createEdgesWithStubs(tx, [{ from: 'Ann', type: 'knows', to: 'Ann' }]);
      const [node] = await tx.rows.nodesNamed(['Ann']);
      if (node) await tx.rows.putNodes([{ ...node, props, provenance }]);
      const [edge] = await tx.rows.edges();
      if (edge) await tx.rows.putEdges([{ ...edge, provenance: stamp }]);
    });
  });
  afterEach(() => scratch.dispose());

  const facts = async () =>
    (await graph.read((reader) => readGraph(reader))).nodes.flatMap((node) => node.facts);
  const ann = async () => (await graph.read((reader) => reader.nodesNamed(['Ann'])))[0];
  const found = (query: string) =>
    graph.read(async (reader) => {
      const subgraphs = [
        await searchSubstring(reader, query),
        await searchRanked(reader, query, { limit: 50 }),
      ];
      return subgraphs.map(({ nodes }) => nodes.length);
    });

  test('properties are shown after the observations, but for keys and marks', async () => {
    expect(await facts()).toEqual(['likes tea', 'role: Engineer', 'age: 30']);
  });

  test('what is shown is found, and what is not is not, before and after the text was indexed', async () => {
    const look = async () => [await found('engineer'), await found('example'), await found('marked')];
    const expected = [
      [1, 1],
      [0, 0],
      [0, 0],
    ];
    expect(await look()).toEqual(expected);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await look()).toEqual(expected);
  });

  test('a written string is a property only if that is shown', async () => {
    const texts = ['role: Engineer', 'email: ann@example.org'];
    const [added] = await graph.write(author, (tx) => addObservationsStrict(tx, [{ name: 'Ann', texts }]));
    expect(added?.texts).toEqual(['email: ann@example.org']);
  });

  test('deleting a shown property takes its provenance along; what is not shown cannot be deleted', async () => {
    const texts = ['age: 30', 'email: ann@example.org', '_stub: marked'];
    const { deleted } = await graph.write(author, (tx) => deleteObservations(tx, [{ name: 'Ann', texts }]));
    expect(deleted).toBe(1);
    const { age: _, ...left } = props;
    expect(await ann()).toMatchObject({ props: left });
    expect((await ann())?.provenance).toEqual({ ...provenance, properties: { email: stamp, role: stamp } });
  });

  test('a graph that is read and saved as strings keeps keys, marks and provenance', async () => {
    const observations = (await facts()).filter((text) => text !== 'age: 30');
    await graph.write(author, (tx) =>
      replaceGraph(tx, {
        nodes: [{ type: 'person', name: 'Ann', observations }],
        edges: [{ from: 'Ann', type: 'knows', to: 'Ann' }],
      }),
    );
    const { age: _, ...left } = props;
    expect((await ann())?.props).toEqual(left);
    expect((await ann())?.provenance).toEqual({ ...provenance, properties: { email: stamp, role: stamp } });
    expect(await facts()).toEqual(['likes tea', 'role: Engineer']);
    const [edge] = await graph.read((reader) => reader.edges());
    expect(edge?.provenance).toEqual(stamp);
  });
});
