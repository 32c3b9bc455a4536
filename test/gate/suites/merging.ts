import { describe, expect, test } from 'vitest';
import { defaultGraph } from '../../../src/model/graph-record.js';
import { MemoryTools, relation } from '../../helpers/memory-tools.js';

import { edgesOf, knows, nodeNamed, nodesOf, person, register } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import { useGate } from '../use-gate.js';

const nodeOf = (name: string) => expect.objectContaining({ name });

export function merging(kind: GateKind): void {
  describe(`merging, on ${kind.kind}`, () => {
    const context = useGate(kind);
    /** About names and other surfaces, which a graph database does not have. */
    const testInTrellis = test.skipIf(kind.database !== undefined);

    test('the same keys mean the same node; properties are added, replaced, and removed by null', async () => {
      await context.gate.writeNode(person('Alice', { age: 30, email: 'a@b', city: 'Ulm' }));
      await context.gate.writeNode(person('Alice', { age: 31, email: null, jobs: ['cook'] }));
      expect((await nodeNamed(context.ground, 'Alice')).props).toEqual({
        name: 'Alice',
        age: 31,
        city: 'Ulm',
        jobs: ['cook'],
      });
    });

    testInTrellis('keys of another type are another node', async () => {
      await context.gate.writeNode(person('7', {}, { label: 'Thing', merge_keys: { id: 7 } }));
      await context.gate.writeNode(person('7', {}, { label: 'Thing', merge_keys: { id: '7' } }));
      await context.gate.writeNode(person('7', {}, { label: 'Thing', merge_keys: { id: 7.0 } }));
      const nodes = await nodesOf(context.ground);
      expect(nodes.map(({ name, props }) => [name, props])).toEqual([
        ['7', { id: 7 }],
        ['id="7"', { id: '7' }],
      ]);
    });

    test('several keys give a name that is the same in any order', async () => {
      const names = { merge_keys: { last: 'Lovelace', first: 'Ada' }, label: 'Thing' };
      await context.gate.writeNode(person('', {}, names));
      await context.gate.writeNode(
        person('', { born: 1815 }, { label: 'Thing', merge_keys: { first: 'Ada', last: 'Lovelace' } }),
      );
      expect(await nodesOf(context.ground)).toMatchObject([
        { name: '["Ada","Lovelace"]', props: { first: 'Ada', last: 'Lovelace', born: 1815 } },
      ]);
    });

    test('keys that two nodes match are AMBIGUOUS_MERGE, and nothing is written', async () => {
      const city = (id: number) => person('', { city: 'Ulm' }, { label: 'Thing', merge_keys: { id } });
      await context.gate.writeNode(city(1));
      await context.gate.writeNode(city(2));
      const before = await nodesOf(context.ground);
      const ambiguous = person('', { big: true }, { label: 'Thing', merge_keys: { city: 'Ulm' } });
      expect(await context.gate.writeNode(ambiguous)).toMatchObject({
        error_code: 'AMBIGUOUS_MERGE',
        details: { matches: expect.arrayContaining([nodeOf('1'), nodeOf('2')]) },
      });
      await register(context.ground, 'NEAR', { kind: 'relationship' });
      await context.gate.refresh();
      const near = { type: 'NEAR', from_label: 'Thing', from_keys: { city: 'Ulm' }, to_label: 'Thing' };
      expect(
        await context.gate.writeRelationship(knows('', '', { ...near, to_keys: { id: 1 } })),
      ).toMatchObject({
        error_code: 'AMBIGUOUS_MERGE',
      });
      expect(await nodesOf(context.ground)).toEqual(before);
    });

    testInTrellis('a single key finds what another surface wrote under that name', async () => {
      const memory = new MemoryTools(context.store);
      await memory.createEntities({ name: 'Alice', entityType: 'Person', observations: ['likes tea'] });
      await context.gate.writeNode(person('Alice', { age: 30 }));
      expect((await memory.open('Alice')).entities).toEqual([
        { name: 'Alice', entityType: 'Person', observations: ['likes tea', 'age: 30'] },
      ]);
    });

    testInTrellis('a name of another label is another node', async () => {
      const memory = new MemoryTools(context.store);
      await memory.createEntities({ name: 'Alice', entityType: 'cat', observations: [] });
      await context.gate.writeNode(person('Alice'));
      expect((await nodesOf(context.ground)).map(({ type, name }) => [type, name])).toEqual([
        ['cat', 'Alice'],
        ['Person', 'Alice'],
      ]);
    });

    testInTrellis('a name whose node has another value for the key is another node', async () => {
      await context.gate.writeNode(person('x', { email: 'a@b' }));
      const byEmail = person('', { name: 'Y' }, { merge_keys: { email: 'x' } });
      await context.gate.writeNode(byEmail);
      await context.gate.writeNode(byEmail);
      expect((await nodesOf(context.ground)).map(({ name, props }) => [name, props])).toEqual([
        ['x', { email: 'a@b', name: 'x' }],
        ['email=x', { email: 'x', name: 'Y' }],
      ]);
    });

    testInTrellis('a name that only a relation mentioned becomes the node, with its relations', async () => {
      const memory = new MemoryTools(context.store);
      await memory.createEntities({ name: 'Bob', entityType: 'cat', observations: [] });
      await memory.createRelations(relation('Bob', 'Alice', 'trusts'));
      await context.gate.writeNode(person('Alice', { age: 30 }));
      expect(await memory.open('Alice')).toEqual({
        entities: [{ name: 'Alice', entityType: 'Person', observations: ['age: 30'] }],
        relations: [relation('Bob', 'Alice', 'trusts')],
      });
    });

    testInTrellis('a node that was deleted and is written again starts anew', async () => {
      const memory = new MemoryTools(context.store);
      await context.gate.writeNode(person('Alice', { age: 30 }));
      await memory.ok('delete_entities', { entityNames: ['Alice'] });
      await context.gate.writeNode(person('Alice', { email: 'a@b' }));
      expect((await nodeNamed(context.ground, 'Alice')).props).toEqual({ name: 'Alice', email: 'a@b' });
    });

    test('writing the node clears the mark of a stub', async () => {
      await context.gate.writeRelationship(knows('Alice', 'Bob', { endpoint_policy: 'merge_endpoints' }));
      await context.gate.writeNode(person('Bob', { age: 3 }));
      expect((await nodeNamed(context.ground, 'Bob')).props).toEqual({ name: 'Bob', age: 3 });
      expect((await nodeNamed(context.ground, 'Alice')).props).toEqual({ name: 'Alice', _stub: true });
    });

    test('both ends may mean the same new node', async () => {
      const answer = await context.gate.writeRelationship(
        knows('Alice', 'Alice', { endpoint_policy: 'merge_endpoints' }),
      );
      expect(answer).toMatchObject({ status: 'written', from: { stub_created: true } });
      expect(answer['to']).toEqual({ label: 'Person', keys: { name: 'Alice' } });
      expect(await nodesOf(context.ground)).toHaveLength(1);
      expect(await edgesOf(context.ground)).toMatchObject([{ fromName: 'Alice', toName: 'Alice' }]);
    });

    test('the labels of stubs are remapped like any other', async () => {
      const gate = await context.open({ fallback_label: 'Thing' });
      await register(context.ground, 'OWNS', { kind: 'relationship' });
      await gate.refresh();
      const answer = await gate.writeRelationship(
        knows('Alice', 'Rex', {
          type: ':OWNS',
          from_label: 'User',
          to_label: ':Dog',
          endpoint_policy: 'merge_endpoints',
        }),
      );
      expect(answer).toMatchObject({
        type: 'OWNS',
        from: { label: 'Person', remapped_from: 'User', stub_created: true },
        to: { label: 'Thing', remapped_from: ':Dog', stub_created: true },
      });
      expect((await nodeNamed(context.ground, 'Rex')).provenance?._schema_remap_from).toBe(':Dog');
    });

    test('a relationship is merged like a node', async () => {
      await context.gate.writeNode(person('Alice'));
      await context.gate.writeNode(person('Bob'));
      await context.gate.writeRelationship(
        knows('Alice', 'Bob', { properties: { since: 2020, how: 'work' } }),
      );
      await context.gate.writeRelationship(knows('Alice', 'Bob', { properties: { since: 2021, how: null } }));
      expect(await edgesOf(context.ground)).toMatchObject([
        {
          type: 'KNOWS',
          props: { since: 2021 },
          provenance: { properties: { since: { confidence: 0.675 } } },
        },
      ]);
    });

    test('the breadcrumb of a remap stays when the node is written under its own label', async () => {
      await context.gate.writeNode(person('Alice', {}, { label: 'person' }));
      await context.gate.writeNode(person('Alice'));
      expect((await nodeNamed(context.ground, 'Alice')).provenance?._schema_remap_from).toBe(':person');
    });

    testInTrellis(
      'what the gate wrote is seen through the memory tools, and its commit says who wrote it',
      async () => {
        await context.gate.writeNode(person('Alice', { age: 30, tags: ['a', 'b'] }));
        await context.gate.writeRelationship(knows('Alice', 'Bob', { endpoint_policy: 'merge_endpoints' }));
        const memory = new MemoryTools(context.store);
        expect(await memory.open('Alice')).toEqual({
          entities: [{ name: 'Alice', entityType: 'Person', observations: ['age: 30', 'tags: ["a","b"]'] }],
          relations: [relation('Alice', 'Bob', 'KNOWS')],
        });
        expect((await memory.open('Bob')).entities).toEqual([
          { name: 'Bob', entityType: 'Person', observations: [] },
        ]);
        const [newest, older] = await context.store.commits({ graph: defaultGraph });
        expect(newest).toMatchObject({ actor: 'tester', tool: 'write_relationship' });
        expect(older).toMatchObject({ actor: 'tester', tool: 'write_node', counts: { nodesCreated: 1 } });
      },
    );
  });
}
