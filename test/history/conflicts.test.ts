import { beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/model/limits.js';
import type { Provenance } from '../../src/model/provenance.js';
import { databaseKinds } from '../helpers/stores.js';
import { Repository } from './repository.js';

describe.each(databaseKinds)('conflicts on $kind', (kind) => {
  const newRepository = Repository.forSuite(kind);
  let on: Repository;
  beforeEach(async () => {
    on = await newRepository();
    await on.create('main', 'a', ['one', 'two']);
    await on.create('main', 'b', ['bee']);
    await on.create('main', 'c');
    await on.relate('main', 'a knows b', 'b knows c');
    await on.fork('try');
  });

  const conflicts = async () => (await on.merge('try', 'main', { dryRun: true })).conflicts;
  const take = (side: 'source' | 'target', id: string, property?: string) =>
    on.merge('try', 'main', { resolutions: [{ id, property, take: side }] });

  test('different properties of one node, changed on both sides, are merged', async () => {
    await on.set('main', 'a', 'age', 7);
    await on.change('main', 'a', () => ({ tags: ['x', 'y'] }));
    await on.set('try', 'a', 'height', 2);
    await on.change('try', 'a', () => ({ summary: 'A letter', tags: ['z'] }));
    await on.merge('try');
    const { nodes } = await on.look();
    expect(nodes[0]).toMatchObject({
      summary: 'A letter',
      tags: ['x', 'y', 'z'],
      props: { age: 7, height: 2 },
    });
  });

  test('each property keeps the provenance of the side whose value it has', async () => {
    const stamp = (source: string, ...keys: string[]): Provenance => ({
      ...{ source, confidence: 0.5, last_updated: source },
      ...(keys.length === 0
        ? {}
        : { properties: Object.fromEntries(keys.map((key) => [key, stamp(source)])) }),
    });
    await on.change('main', 'a', () => ({ props: { age: 1 }, provenance: stamp('base', 'age') }));
    await on.merge('main', 'try');
    await on.change('main', 'a', () => ({
      props: { age: 2, city: 'Rome' },
      provenance: stamp('ours', 'age', 'city'),
    }));
    await on.change('try', 'a', () => ({
      props: { age: 1, height: 2 },
      provenance: {
        ...stamp('theirs', 'height'),
        properties: { age: stamp('base'), height: stamp('theirs') },
      },
    }));
    await on.merge('try');
    const [merged] = await on.store.read({ graph: on.graph }, (reader) => reader.nodesNamed(['a']));
    expect(merged?.props).toEqual({ age: 2, city: 'Rome', height: 2 });
    expect(merged?.provenance).toMatchObject({ source: 'theirs' });
    expect(merged?.provenance?.properties).toEqual({
      ...{ age: stamp('ours'), city: stamp('ours'), height: stamp('theirs') },
    });
  });

  test('a value that both sides have is from the side that changed where it came from, or did so last', async () => {
    const from = (source: string, last_updated: string): Provenance => ({ source, last_updated });
    const put = (branch: string, properties: Readonly<Record<string, Provenance>>) =>
      on.change(branch, 'a', () => ({
        props: { age: 1, city: 'Rome', height: 2 },
        provenance: { ...from(branch, '2026-01-01'), properties },
      }));
    const old = from('base', '2026-01-01');
    await put('main', { age: old, city: old, height: old });
    await on.merge('main', 'try');
    await put('main', { age: from('ours', '2026-03-01'), city: old, height: from('ours', '2026-02-01') });
    await put('try', { age: from('theirs', '2026-02-01'), city: from('theirs', '2025-01-01'), height: old });
    await on.merge('try');
    const [merged] = await on.store.read({ graph: on.graph }, (reader) => reader.nodesNamed(['a']));
    expect(merged?.provenance?.properties).toEqual({
      age: from('ours', '2026-03-01'),
      city: from('theirs', '2025-01-01'),
      height: from('ours', '2026-02-01'),
    });
  });

  test('more resolutions than any merge could need are refused, and nothing is merged', async () => {
    await on.create('try', 'd');
    const resolutions = Array.from({ length: limits.batchItems + 1 }, (_, n) => ({
      ...{ id: `node/thing/${n}`, take: 'source' as const },
    }));
    const before = await on.head();
    await expect(on.merge('try', 'main', { resolutions })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(await on.head()).toBe(before);
  });

  test('the same change on both sides is no conflict', async () => {
    for (const branch of ['main', 'try']) {
      await on.set(branch, 'a', 'colour', { r: 1, g: [2] });
      await on.weigh(branch, 'a knows b', 0.5);
      await on.replaceObservation(branch, 'a', 1, 'uno');
    }
    expect(await conflicts()).toEqual([]);
    await on.merge('try');
    expect(await on.brief()).toBe(await on.brief('try'));
  });

  test('a property changed to different values is a conflict with base, ours and theirs', async () => {
    await on.set('main', 'a', 'age', 7);
    await on.set('try', 'a', 'age', 8);
    await on.change('main', 'a', () => ({ summary: 'ours' }));
    await on.change('try', 'a', () => ({ summary: 'theirs' }));
    const found = [
      { kind: 'divergent_update', id: 'node/thing/a', property: 'summary', ours: 'ours', theirs: 'theirs' },
      { kind: 'divergent_update', id: 'node/thing/a', property: 'props.age', ours: 7, theirs: 8 },
    ];
    expect(await conflicts()).toMatchObject(found);
    await expect(on.merge('try')).rejects.toMatchObject({
      code: 'MERGE_CONFLICT',
      details: { conflicts: found },
    });
  });

  test('each conflict is decided by itself, or all of a node at once', async () => {
    for (const [branch, age] of [
      ['main', 7],
      ['try', 8],
    ] as const) {
      await on.set(branch, 'a', 'age', age);
      await on.change(branch, 'a', () => ({ summary: branch }));
    }
    const id = 'node/thing/a';
    await expect(take('source', id, 'summary')).rejects.toMatchObject({
      details: { conflicts: [{ property: 'props.age' }] },
    });
    await on.merge('try', 'main', {
      resolutions: [
        { id, take: 'target' },
        { id, property: 'summary', take: 'source' },
      ],
    });
    expect((await on.look()).nodes[0]).toMatchObject({ summary: 'try', props: { age: 7 } });
  });

  test('a resolution that fits no conflict is refused, and nothing is merged', async () => {
    await on.set('try', 'a', 'age', 8);
    const before = await on.head();
    await expect(take('source', 'node/thing/a', 'props.age')).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect(await on.head()).toBe(before);
  });

  test('a decision that another one makes needless is no mistake', async () => {
    await on.observe('main', 'b', 'buzz');
    await on.relate('main', 'c likes b');
    await on.remove('try', 'b');
    await on.unrelate('main', 'a knows b');
    const [node, edge] = ['node/thing/b', 'edge/c/likes/b'];
    expect((await conflicts()).map(({ id }) => id)).toEqual([node]);
    await expect(take('source', node)).rejects.toMatchObject({ details: { conflicts: [{ id: edge }] } });
    const resolutions = [
      { id: node, take: 'target' as const },
      { id: edge, take: 'target' as const },
    ];
    await on.merge('try', 'main', { resolutions });
    expect(await on.brief()).toBe('a[one,two] b[bee,buzz] c | b knows c, c likes b');
  });

  test('names of any kind make ids that can be told apart', async () => {
    for (const branch of ['main', 'try']) {
      await on.create(branch, 'x/y %', [], 'a/b');
      await on.set(branch, 'x/y %', '__proto__', branch);
    }
    expect(await conflicts()).toEqual([
      {
        kind: 'divergent_insert',
        id: 'node/a%2Fb/x%2Fy%20%25',
        property: 'props.__proto__',
        ours: 'main',
        theirs: 'try',
      },
    ]);
    await take('source', 'node/a%2Fb/x%2Fy%20%25', 'props.__proto__');
    const node = (await on.look()).nodes.find(({ type }) => type === 'a/b');
    expect(Object.entries(node?.props ?? {})).toEqual([['__proto__', 'try']]);
  });

  describe('observations', () => {
    test('those added on both sides are all kept, those removed on one side go', async () => {
      await on.observe('main', 'a', 'three of main');
      await on.observe('try', 'a', 'three of try');
      await on.replaceObservation('main', 'a', 1, undefined);
      await on.replaceObservation('try', 'a', 2, 'two and a half');
      await on.merge('try');
      expect((await on.look()).nodes[0]?.observations).toEqual([
        { ordinal: 2, text: 'two and a half' },
        { ordinal: 3, text: 'three of main' },
        { ordinal: 4, text: 'three of try' },
      ]);
    });

    test('one replaced by different texts is a conflict', async () => {
      await on.replaceObservation('main', 'a', 1, 'uno');
      await on.replaceObservation('try', 'a', 1, 'eins');
      const about = { id: 'node/thing/a', property: 'observations.1' };
      expect(await conflicts()).toEqual([
        { kind: 'divergent_update', ...about, base: 'one', ours: 'uno', theirs: 'eins' },
      ]);
      await take('source', about.id, about.property);
      expect((await on.look()).nodes[0]?.observations[0]).toEqual({ ordinal: 1, text: 'eins' });
    });

    test('one removed here and replaced there is a conflict', async () => {
      await on.replaceObservation('main', 'a', 1, undefined);
      await on.replaceObservation('try', 'a', 1, 'eins');
      expect(await conflicts()).toEqual([
        {
          kind: 'delete_vs_update',
          ...{ id: 'node/thing/a', property: 'observations.1', base: 'one', theirs: 'eins' },
        },
      ]);
    });
  });

  describe('a node removed on one side and changed on the other', () => {
    test('is a conflict, also if only its observations changed', async () => {
      await on.remove('main', 'b');
      await on.observe('try', 'b', 'buzz');
      expect(await conflicts()).toEqual([
        {
          kind: 'delete_vs_update',
          id: 'node/thing/b',
          base: { type: 'thing', name: 'b', observations: [{ ordinal: 1, text: 'bee' }] },
          theirs: {
            ...{ type: 'thing', name: 'b' },
            observations: [
              { ordinal: 1, text: 'bee' },
              { ordinal: 2, text: 'buzz' },
            ],
          },
        },
      ]);
    });

    test('taken from the branch that changed it, comes back with its edges', async () => {
      await on.remove('main', 'b');
      await on.observe('try', 'b', 'buzz');
      await take('source', 'node/thing/b');
      expect(await on.brief()).toBe('a[one,two] b[bee,buzz] c | a knows b, b knows c');
    });

    test('stays with its edges, if the target changed it and is taken', async () => {
      await on.observe('main', 'b', 'buzz');
      await on.remove('try', 'b', 'c');
      await take('target', 'node/thing/b');
      expect(await on.brief()).toBe('a[one,two] b[bee,buzz] | a knows b');
    });

    test('goes, if the side that removed it is taken', async () => {
      await on.observe('main', 'b', 'buzz');
      await on.remove('try', 'b');
      await take('source', 'node/thing/b');
      expect(await on.brief()).toBe('a[one,two] c | ');
    });
  });

  describe('edges', () => {
    test('weights changed differently, or made differently, are a conflict', async () => {
      await on.weigh('main', 'a knows b', 0.1);
      await on.weigh('try', 'a knows b', 0.2);
      for (const [branch, weight] of [
        ['main', 0.3],
        ['try', 0.4],
      ] as const) {
        await on.relate(branch, 'c knows a');
        await on.weigh(branch, 'c knows a', weight);
      }
      expect(new Set(await conflicts())).toEqual(
        new Set([
          {
            kind: 'divergent_update',
            ...{ id: 'edge/a/knows/b', property: 'weight', base: 1, ours: 0.1, theirs: 0.2 },
          },
          {
            kind: 'divergent_insert',
            ...{ id: 'edge/c/knows/a', property: 'weight', base: 1, ours: 0.3, theirs: 0.4 },
          },
        ]),
      );
    });

    test('one removed here and changed there is a conflict', async () => {
      await on.unrelate('main', 'a knows b');
      await on.weigh('try', 'a knows b', 0.2);
      expect(await conflicts()).toMatchObject([{ kind: 'delete_vs_update', id: 'edge/a/knows/b' }]);
      await take('source', 'edge/a/knows/b');
      expect((await on.look()).edges[0]).toEqual({ edge: 'a knows b', weight: 0.2, props: {} });
    });

    test('to a node that main removed: taking the branch brings the node back', async () => {
      await on.remove('main', 'b');
      await on.relate('try', 'c likes b');
      await take('source', 'edge/c/likes/b');
      expect(await on.brief()).toBe('a[one,two] b[bee] c | c likes b');
    });

    test('to a node that main removed: taking main drops the edge', async () => {
      await on.remove('main', 'b');
      await on.relate('try', 'c likes b');
      await take('target', 'edge/c/likes/b');
      expect(await on.brief()).toBe('a[one,two] c | ');
    });

    test('to a node that the branch removed: taking main keeps the node, taking the branch drops both', async () => {
      await on.fork('same', 'main');
      for (const branch of ['main', 'same']) await on.relate(branch, 'c likes b');
      await on.remove('try', 'b');
      await take('target', 'edge/c/likes/b');
      expect(await on.brief()).toBe('a[one,two] b[bee] c | c likes b');
      await on.merge('try', 'same', { resolutions: [{ id: 'edge/c/likes/b', take: 'source' }] });
      expect(await on.brief('same')).toBe('a[one,two] c | ');
    });
  });

  describe('stubs', () => {
    test('come with the edges that name them', async () => {
      await on.relate('try', 'a knows ghost');
      await on.merge('try');
      const { nodes, edges } = await on.look();
      expect(nodes.filter(({ stub }) => stub).map(({ name }) => name)).toEqual(['ghost']);
      expect(edges.map(({ edge }) => edge)).toContain('a knows ghost');
    });

    test('are claimed by a node of their name, whichever side made it', async () => {
      await on.relate('try', 'a knows ghost', 'b knows spirit');
      await on.create('try', 'wraith');
      await on.create('main', 'ghost');
      await on.relate('main', 'a knows wraith');
      await on.merge('try');
      const { nodes, edges } = await on.look();
      expect(nodes.filter(({ stub }) => stub).map(({ name }) => name)).toEqual(['spirit']);
      expect(edges.map(({ edge }) => edge)).toEqual([
        ...['a knows b', 'a knows ghost', 'a knows wraith', 'b knows c', 'b knows spirit'],
      ]);
    });

    test('an edge that finds its end under another identity keeps no other change from being merged', async () => {
      await on.relate('try', 'a likes ghost');
      await on.weigh('try', 'a knows b', 0.3);
      await on.create('main', 'ghost');
      await on.relate('main', 'a likes ghost');
      await on.weigh('main', 'a likes ghost', 0.9);
      await on.merge('try');
      const { edges } = await on.look();
      expect(edges.map(({ edge, weight }) => `${edge} ${weight}`)).toEqual([
        ...['a knows b 0.3', 'a likes ghost 0.9', 'b knows c 1'],
      ]);
    });

    test('an edge to a stub and one to the node that claims it become one', async () => {
      await on.relate('main', 'a likes ghost');
      await on.create('try', 'ghost');
      await on.relate('try', 'a likes ghost');
      await on.weigh('try', 'a likes ghost', 0.3);
      const { commit } = await on.merge('try');
      const { nodes, edges } = await on.look();
      expect(edges.map(({ edge, weight }) => `${edge} ${weight}`)).toEqual([
        ...['a knows b 1', 'a likes ghost 0.3', 'b knows c 1'],
      ]);
      expect(nodes.filter(({ stub }) => stub)).toEqual([]);
      expect(commit?.counts).toMatchObject({ nodesCreated: 1, edgesDeleted: 1 });
    });

    test('stay as nodes when the branch made them such and removed their edges', async () => {
      await on.relate('main', 'a knows ghost');
      await on.merge('main', 'try');
      await on.create('try', 'ghost', ['boo']);
      await on.unrelate('try', 'a knows ghost');
      await on.merge('try');
      expect(await on.brief()).toBe('a[one,two] b[bee] c ghost[boo] | a knows b, b knows c');
    });

    test('go when the merge removes their last edge', async () => {
      await on.relate('main', 'a knows ghost');
      await on.merge('main', 'try');
      await on.unrelate('try', 'a knows ghost');
      await on.merge('try');
      expect((await on.look()).nodes.filter(({ stub }) => stub)).toEqual([]);
    });

    test('lose what the merge removes of them, and the node of their name keeps its own', async () => {
      await on.relate('main', 'ghost knows ghost');
      await on.merge('main', 'try');
      await on.unrelate('try', 'ghost knows ghost');
      await on.create('try', 'd');
      await on.rename('try', 'd', 'ghost');
      await on.relate('try', 'ghost knows ghost');
      await on.merge('try');
      expect(await on.look()).toEqual(await on.look({ branch: 'try' }));
      expect(await on.brief()).toContain('| a knows b, b knows c, ghost knows ghost');
    });

    test('replace a node that was removed while a relation names it again', async () => {
      await on.remove('try', 'b');
      await on.relate('try', 'a knows b');
      await on.merge('try');
      const { nodes, edges } = await on.look();
      expect(nodes.map(({ name, stub }) => [name, stub])).toEqual([
        ['a', false],
        ['b', true],
        ['c', false],
      ]);
      expect(edges.map(({ edge }) => edge)).toEqual(['a knows b']);
    });
  });

  test('two nodes of one name and different types are both kept, and the name is told', async () => {
    await on.create('main', 'x', [], 'person');
    await on.create('try', 'x', [], 'robot');
    const { sharedNames, conflicts: none } = await on.merge('try');
    expect([sharedNames, none]).toEqual([['x'], []]);
    expect((await on.look()).nodes.filter(({ name }) => name === 'x').map(({ type }) => type)).toEqual([
      'person',
      'robot',
    ]);
  });
});
