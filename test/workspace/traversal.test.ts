import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { times } from '../helpers/full.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { namesOf, WorkspaceTools } from '../helpers/workspace-tools.js';

interface Relation {
  from: string;
  to: string;
  relation_type: string;
}
interface Around {
  nodes: { name: string }[];
  relations: Relation[];
  nextCursor?: string;
}
interface Way {
  found: boolean;
  path: string[];
  relations: Relation[];
}

describe.each(databaseKinds)('traversal on $kind', (kind) => {
  let scratch: Scratch;
  let tools: WorkspaceTools;
  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = await WorkspaceTools.open(scratch.store);
  });
  afterEach(async () => {
    await tools.close();
    await scratch.dispose();
  });

  const named = (...names: string[]) => tools.create(...names.map((name) => ({ name })));
  const around = (name: string, more: object = {}) => tools.ok<Around>('get_neighborhood', { name, ...more });
  const way = (from_entity: string, to_entity: string) =>
    tools.ok<Way>('get_path', { from_entity, to_entity });
  /** A relation to a name that is no node, as the memory surface makes it. */
  const relateToStub = (from: string, to: string) =>
    new Graph(scratch.store, 'default').write({ actor: 'a', tool: 't' }, (tx) =>
      createEdgesWithStubs(tx, [{ from, to, type: 'knows' }]),
    );

  describe('get_neighborhood', () => {
    test('goes in both directions, survives cycles, and answers every relation between what it found', async () => {
      await named('A', 'B', 'C', 'D', 'E');
      await tools.relate(
        ['A', 'B'],
        ['C', 'A'],
        ['B', 'C'],
        ['C', 'D'],
        ['D', 'E'],
        ['E', 'A', 'far'],
        ['D', 'D'],
      );
      const one = await around('A');
      expect(namesOf(one.nodes)).toEqual(['A', 'B', 'C', 'E']);
      expect(one.relations).toEqual([
        { from: 'A', to: 'B', relation_type: 'knows' },
        { from: 'C', to: 'A', relation_type: 'knows' },
        { from: 'B', to: 'C', relation_type: 'knows' },
        { from: 'E', to: 'A', relation_type: 'far' },
      ]);
      expect(namesOf((await around('A', { depth: 2 })).nodes)).toEqual(['A', 'B', 'C', 'E', 'D']);
    });

    test('depth 0 is the node alone, with its relations to itself', async () => {
      await tools.create({ name: 'A', summary: 's', tags: ['t'] }, { name: 'B' });
      await tools.relate(['A', 'B'], ['A', 'A', 'is']);
      expect(await around('A', { depth: 0 })).toEqual({
        nodes: [{ name: 'A', entity_type: 'thing', summary: 's', tags: ['t'] }],
        relations: [{ from: 'A', to: 'A', relation_type: 'is' }],
      });
    });

    test('a name that is no node is neither shown nor gone through', async () => {
      await named('A', 'B');
      await relateToStub('A', 'Ghost');
      await relateToStub('B', 'Ghost');
      expect(await around('A', { depth: 3 })).toMatchObject({ nodes: [{ name: 'A' }], relations: [] });
      expect(await way('A', 'B')).toEqual({ found: false, path: [], relations: [] });
      expect(await tools.error('get_neighborhood', { name: 'Ghost' })).toContain("Node 'Ghost' not found");
    });

    test('pages hold each node and each relation once', async () => {
      await named(...Array.from({ length: 9 }, (_, index) => `n${index}`));
      for (const a of [1, 2, 3])
        await tools.relate(['n0', `n${a}`], [`n${a}`, `n${a + 3}`], [`n${a + 3}`, `n${a + 5}`]);
      const whole = await around('n0', { depth: 6 });
      const nodes: string[] = [];
      const relations: Relation[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await around('n0', { depth: 6, limit: 2, ...(cursor ? { cursor } : {}) });
        nodes.push(...namesOf(page.nodes));
        for (const one of page.relations) {
          expect(nodes).toEqual(expect.arrayContaining([one.from, one.to]));
          relations.push(one);
        }
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      expect(nodes).toEqual(namesOf(whole.nodes));
      expect(relations).toHaveLength(whole.relations.length);
      expect(relations).toEqual(expect.arrayContaining(whole.relations));
    });

    test('refuses unknown names and depths beyond the bound', async () => {
      await named('A');
      expect(await tools.error('get_neighborhood', { name: 'Nobody' })).toContain("Node 'Nobody' not found");
      for (const args of [{ depth: 7 }, { depth: -1 }, { depth: 1.5 }, { cursor: 'x' }, { limit: 0 }]) {
        expect(await tools.error('get_neighborhood', { name: 'A', ...args })).not.toBe('');
      }
    });
  });

  test('a neighbourhood goes as far as the limits of its graph let it', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `n${index}`);
    await named(...names);
    await tools.relate(...names.slice(1).map((name, index): [string, string] => [`n${index}`, name]));
    const open = (depth: number) => WorkspaceTools.open(scratch.store, { settings: { limits: { depth } } });
    const [far, near] = [await open(8), await open(2)];
    const { nodes } = await far.ok<Around>('get_neighborhood', { name: 'n0', depth: 8 });
    expect(namesOf(nodes)).toEqual(names);
    expect(await far.error('get_neighborhood', { name: 'n0', depth: 9 })).toContain('depth');
    expect(await near.error('get_neighborhood', { name: 'n0', depth: 3 })).toContain('depth');
    await Promise.all([far.close(), near.close()]);
  });

  describe('get_path', () => {
    test('is the shortest, whichever way the relations point', async () => {
      await named('A', 'B', 'C', 'D', 'E');
      await tools.relate(['A', 'B'], ['B', 'C'], ['C', 'D'], ['E', 'A', 'leads'], ['D', 'E']);
      expect(await way('A', 'D')).toEqual({
        found: true,
        path: ['A', 'E', 'D'],
        relations: [
          { from: 'E', to: 'A', relation_type: 'leads' },
          { from: 'D', to: 'E', relation_type: 'knows' },
        ],
      });
    });

    test('of several shortest ones is the first by name, step by step', async () => {
      await named('S', 'b', 'a', 'z', 'y', 'T');
      await tools.relate(['S', 'b'], ['S', 'a'], ['a', 'z'], ['b', 'y'], ['y', 'T'], ['z', 'T']);
      expect((await way('S', 'T')).path).toEqual(['S', 'a', 'z', 'T']);
      expect((await way('T', 'S')).path).toEqual(['T', 'y', 'b', 'S']);
    });

    test('shows of parallel relations the one that points the way, the first by type', async () => {
      await named('A', 'B');
      await tools.relate(['B', 'A', 'a'], ['A', 'B', 'z'], ['A', 'B', 'm']);
      expect((await way('A', 'B')).relations).toEqual([{ from: 'A', to: 'B', relation_type: 'm' }]);
    });

    test('from a node to itself is that node; where there is none, it is not found', async () => {
      await named('A', 'B');
      await tools.relate(['A', 'A']);
      expect(await way('A', 'A')).toEqual({ found: true, path: ['A'], relations: [] });
      expect(await way('A', 'B')).toEqual({ found: false, path: [], relations: [] });
      const text = await tools.error('get_path', { from_entity: 'A', to_entity: 'Nobody' });
      expect(text).toContain("Node 'Nobody' not found");
      expect(await tools.error('get_path', { from_entity: 'A' })).toContain('to_entity is missing');
    });

    test('is as short, and as early by name, as an exhaustive search finds', async () => {
      const size = 8;
      const pairs = fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 14 });
      let run = 0;
      await fc.assert(
        fc.asyncProperty(pairs, async (edges) => {
          const prefix = `r${++run} `;
          // Names in another order than the nodes are created.
          const names = Array.from({ length: size }, (_, index) => `${prefix}${(index * 5) % size}`);
          await named(...names);
          const triples = edges.map(([a, b]) => [names[a] ?? '', names[b] ?? ''] as const);
          if (triples.length > 0) await tools.relate(...triples);
          const [from = '', to = ''] = [names[0], names[size - 1]];
          expect((await way(from, to)).path).toEqual(exhaustive(triples, from, to));
        }),
        { numRuns: times(10, 40) },
      );
    });
  });

  test('get_orphans lists nodes without relations, in creation order, in pages', async () => {
    await named('A', 'B', 'C', 'D', 'E', 'F');
    await tools.relate(['B', 'D'], ['F', 'F']);
    await relateToStub('E', 'Ghost');
    expect(namesOf(await tools.pages('get_orphans', {}, 1))).toEqual(['A', 'C']);
    expect(await tools.list('get_orphans')).toMatchObject([
      { name: 'A', entity_type: 'thing', summary: null, updated_at: expect.any(String) },
      { name: 'C' },
    ]);
    await tools.ok('delete_entities', { entity_names: ['A', 'B', 'C', 'D', 'E', 'F'] });
    expect(await tools.list('get_orphans')).toEqual([]);
    expect(await tools.error('get_orphans', { limit: -1 })).toContain('limit');
  });

  describe('get_relation_gaps', () => {
    const gap = (node: string, referenced_name: string, reference_count = 1) => ({
      node,
      referenced_name,
      reference_count,
    });

    test('finds who is named without a relation, the most often first, longest name first', async () => {
      await tools.create(
        {
          name: 'Ann',
          observations: ['lives in New York', 'reads the New York Times', 'met Ann and bob', 'Bob called'],
        },
        { name: 'Bob', observations: ['knows ann; ANN knows him', 'Annie is another'] },
        { name: 'New York' },
        { name: 'New York Times' },
        { name: 'York' },
      );
      expect(await tools.list('get_relation_gaps')).toEqual([
        gap('Ann', 'Bob', 2),
        gap('Ann', 'New York'),
        gap('Ann', 'New York Times'),
        gap('Bob', 'Ann'),
      ]);
      await tools.relate(['Bob', 'Ann']);
      expect(await tools.list('get_relation_gaps')).toEqual([
        gap('Ann', 'New York'),
        gap('Ann', 'New York Times'),
      ]);
      expect(await tools.pages('get_relation_gaps', {}, 1)).toHaveLength(2);
    });

    test('takes no character of a name for a wildcard', async () => {
      await tools.create(
        { name: 'A_', observations: ['50% of AB, a.*b'] },
        { name: '%' },
        { name: 'A.B' },
        { name: '.*' },
      );
      expect(await tools.list('get_relation_gaps')).toEqual([gap('A_', '%'), gap('A_', '.*')]);
    });

    test('an empty workspace has none', async () => {
      expect(await tools.list('get_relation_gaps')).toEqual([]);
      expect(await tools.error('get_relation_gaps', { cursor: 'x' })).toContain('cursor');
    });
  });
});

/** The shortest path, first by name, found by trying all of them. */
function exhaustive(triples: readonly (readonly [string, string])[], from: string, to: string): string[] {
  const next = (name: string) =>
    triples.flatMap(([a, b]) => [...(a === name ? [b] : []), ...(b === name ? [a] : [])]);
  let paths = [[from]];
  for (let hop = 0; hop < 9; hop += 1) {
    const done = paths
      .filter((path) => path.at(-1) === to)
      .sort((a, b) => (a.join('|') < b.join('|') ? -1 : 1));
    if (done[0] !== undefined) return done[0];
    paths = paths.flatMap((path) =>
      [...new Set(next(path.at(-1) ?? ''))]
        .filter((name) => !path.includes(name))
        .map((name) => [...path, name]),
    );
  }
  return [];
}
