import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MemoryTools } from '../helpers/memory-tools.js';
import { edge, MeshTools, namesOf, node, now } from '../helpers/mesh-tools.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

describe.each(storeKinds)('the mesh tools on $kind', (kind) => {
  let scratch: Scratch;
  let mesh: MeshTools;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    mesh = await MeshTools.open(scratch.store);
  });
  afterEach(async () => {
    await mesh.close();
    await scratch.dispose();
  });
  const commits = () => mesh.commits(scratch.store);
  /** What a process that opens the same place anew sees. */
  const reread = async () => (await MeshTools.open(await scratch.reopen())).readGraph();

  describe('answers', () => {
    test('trust 14: say of a success that it is no error', async () => {
      expect(await mesh.call('read_graph', {})).toHaveProperty('isError', false);
      expect(await mesh.call('open_nodes', {})).toHaveProperty('isError', true);
    });

    test('carry data, the action taken and the time of the commit', async () => {
      const answer = await mesh.addNodes(node('Ann', ['Role: Wizard'], 'npc'));
      const [commit] = await scratch.store.commits({ graph: 'default' });
      expect(answer).toEqual({
        data: { nodes: [node('Ann', ['Role: Wizard'], 'npc')], edges: [] },
        actionTaken: 'Added nodes: Ann',
        timestamp: new Date(commit?.time ?? 0).toISOString(),
      });
    });

    test('of reads carry the time of the call', async () => {
      expect(await mesh.ok('read_graph')).toMatchObject({ timestamp: new Date(now).toISOString() });
    });

    test('of failed calls carry the error, its context and suggestions', async () => {
      await mesh.addNodes(node('Ann'));
      expect(await mesh.error('add_nodes', { nodes: [node('Ann')] })).toEqual({
        error: 'Node already exists: Ann. Consider updating existing node.',
        context: { tool: 'add_nodes', code: 'NODE_EXISTS', details: { names: ['Ann'] } },
        suggestions: ['Nothing was added. Update the node, or omit it and call again.'],
      });
    });

    test('never carry the word that tells lines of a file apart (must hold 8)', async () => {
      await mesh.addNodes(node('Ann'), node('Bob'));
      await mesh.addEdges(edge('Ann', 'Bob'));
      const calls: [string, object][] = [
        ['read_graph', {}],
        ['search_nodes', { query: 'a' }],
        ['open_nodes', { names: ['Ann'] }],
        ['update_nodes', { nodes: [{ name: 'Ann', metadata: ['x'] }] }],
        ['update_edges', { edges: [edge('Ann', 'Bob', 'knows', 0.5)] }],
        ['delete_edges', { edges: [edge('Ann', 'Bob')] }],
      ];
      for (const [tool, args] of calls) {
        const { data } = await mesh.ok(tool, args);
        expect(JSON.stringify(data)).not.toContain('"type"');
      }
    });
  });

  describe('nodes', () => {
    test('duplicates in one batch are refused like stored ones, and the batch leaves nothing (must hold 6)', async () => {
      await mesh.addNodes(node('Ann'));
      for (const nodes of [
        [node('Bob'), node('Ann')],
        [node('Bob'), node('Bob')],
      ]) {
        const { error } = await mesh.error('add_nodes', { nodes });
        expect(error).toMatch(/^Node already exists: (Ann|Bob)\. Consider updating existing node\.$/);
      }
      expect(namesOf(await mesh.readGraph())).toEqual(['Ann']);
      expect(await commits()).toBe(1);
    });

    test('an update replaces metadata and kind, and the file or database agrees', async () => {
      await mesh.addNodes(node('Ann', ['A: 1', 'B: 2', 'no colon']), node('Bob'));
      await mesh.addEdges(edge('Ann', 'Bob', 'knows', 0.5));
      const { data, actionTaken } = await mesh.ok('update_nodes', {
        nodes: [{ name: 'Ann', metadata: ['A: 1', 'B: 3', 'no colon', 'C: 4'], nodeType: 'npc' }],
      });
      expect(actionTaken).toBe('Updated nodes: Ann');
      expect(data.nodes).toEqual([node('Ann', ['A: 1', 'B: 3', 'no colon', 'C: 4'], 'npc')]);
      expect(await reread()).toEqual({
        nodes: [...data.nodes, node('Bob')],
        edges: [edge('Ann', 'Bob', 'knows', 0.5)],
      });
    });

    test('trust 10: a misspelt field refuses the call, which would lose the fact', async () => {
      const stray = { name: 'Eve', nodeType: 'person', metadata: [], metdata: ['Age: 3'] };
      expect((await mesh.error('add_nodes', { nodes: [stray] })).error).toContain(
        'nodes[0] has no field "metdata" (did you mean metadata?)',
      );
    });

    test('trust 8: null leaves what an update could change as it is', async () => {
      await mesh.ok('add_nodes', { nodes: [{ name: 'Eve', nodeType: 'person', metadata: ['Age: 3'] }] });
      const { data } = await mesh.ok('update_nodes', {
        nodes: [{ name: 'Eve', nodeType: null, metadata: null }],
      });
      expect(data).toMatchObject({ nodes: [{ name: 'Eve', nodeType: 'person', metadata: ['Age: 3'] }] });
    });

    test('an update of an unknown node leaves the others as they were', async () => {
      await mesh.addNodes(node('Ann', ['A: 1']));
      const { error } = await mesh.error('update_nodes', {
        nodes: [
          { name: 'Ann', metadata: [] },
          { name: 'Zed', metadata: [] },
        ],
      });
      expect(error).toBe('Node not found: Zed');
      expect((await mesh.readGraph()).nodes).toEqual([node('Ann', ['A: 1'])]);
    });

    test('deleting lists what was and what was not there, and takes the edges along', async () => {
      await mesh.addNodes(node('Ann'), node('Bob'), node('Cat'));
      await mesh.addEdges(edge('Ann', 'Bob'), edge('Cat', 'Ann'), edge('Bob', 'Cat'));
      const { data, actionTaken } = await mesh.ok<object>('delete_nodes', {
        nodeNames: ['Ann', 'Zed', 'Ann'],
      });
      expect(data).toEqual({ deleted: ['Ann'], not_found: ['Zed'] });
      expect(actionTaken).toBe('Deleted nodes: Ann. Not found: Zed');
      expect(await reread()).toEqual({
        nodes: [node('Bob'), node('Cat')],
        edges: [edge('Bob', 'Cat', 'knows', 1)],
      });
    });
  });

  describe('edges', () => {
    beforeEach(() => mesh.addNodes(node('Ann'), node('Bob'), node('Cat')));

    test('weight defaults to 1 and is stored; outside 0 to 1 it is refused on add and update; updates average (must hold 2)', async () => {
      const { data } = await mesh.addEdges(edge('Ann', 'Bob'), edge('Bob', 'Cat', 'knows', 0.8));
      expect(data.edges.map(({ weight }) => weight)).toEqual([1, 0.8]);
      for (const weight of [-0.01, 1.5]) {
        const bad = { edges: [edge('Cat', 'Ann', 'knows', weight)] };
        expect((await mesh.error('add_edges', bad)).error).toBe('Edge weight must be between 0 and 1');
        const change = { edges: [edge('Ann', 'Bob', 'knows', weight)] };
        expect((await mesh.error('update_edges', change)).error).toBe('Edge weight must be between 0 and 1');
      }
      const updated = await mesh.ok('update_edges', { edges: [edge('Bob', 'Cat', 'knows', 0.6)] });
      expect(updated.data.edges[0]?.weight).toBeCloseTo(0.7);
      expect((await reread()).edges.map(({ weight }) => weight)).toEqual([1, expect.closeTo(0.7)]);
    });

    test('need nodes at both ends; duplicates in the batch and in the graph are refused; nothing is left', async () => {
      await mesh.addEdges(edge('Ann', 'Bob'));
      const before = await commits();
      const cases = [
        { edges: [edge('Bob', 'Cat'), edge('Ann', 'Zed')], error: 'Node not found: Zed' },
        { edges: [edge('Bob', 'Cat'), edge('Ann', 'Bob')], error: 'Edge already exists: Ann -> Bob (knows)' },
        { edges: [edge('Bob', 'Cat'), edge('Bob', 'Cat')], error: 'Edge already exists: Bob -> Cat (knows)' },
      ];
      for (const { edges, error } of cases) {
        expect((await mesh.error('add_edges', { edges })).error).toBe(error);
      }
      expect(await commits()).toBe(before);
    });

    test('move in the form of the original client, in their old place, and averaging newWeight', async () => {
      await mesh.addEdges(edge('Ann', 'Bob', 'knows', 0.5), edge('Bob', 'Cat'));
      const { data, actionTaken } = await mesh.ok('update_edges', {
        edges: [
          {
            ...edge('Ann', 'Bob'),
            newFrom: 'Cat',
            newTo: 'Ann',
            newEdgeType: 'likes',
            newWeight: 1,
          },
        ],
      });
      expect(data.edges).toEqual([edge('Cat', 'Ann', 'likes', 0.75)]);
      expect(actionTaken).toBe('Updated edges: Cat -> Ann (likes)');
      expect((await reread()).edges).toEqual([
        edge('Cat', 'Ann', 'likes', 0.75),
        edge('Bob', 'Cat', 'knows', 1),
      ]);
    });

    test('weight and newWeight that differ are refused', async () => {
      await mesh.addEdges(edge('Ann', 'Bob'));
      const both = { edges: [{ ...edge('Ann', 'Bob', 'knows', 0), newWeight: 1 }] };
      expect((await mesh.error('update_edges', both)).error).toContain('weight and newWeight of');
    });

    test('that are not there cannot be updated; deleting them is no error', async () => {
      const unknown = { edges: [edge('Ann', 'Bob', 'likes')] };
      expect((await mesh.error('update_edges', unknown)).error).toBe('Edge not found: Ann -> Bob (likes)');
      await mesh.addEdges(edge('Ann', 'Bob'));
      const { data, actionTaken } = await mesh.ok<object>('delete_edges', {
        edges: [edge('Ann', 'Bob'), edge('Ann', 'Bob', 'likes'), edge('Zed', 'Bob')],
      });
      expect(data).toEqual({
        deleted: [edge('Ann', 'Bob')],
        not_found: [edge('Ann', 'Bob', 'likes'), edge('Zed', 'Bob')],
      });
      expect(actionTaken).toBe(
        'Deleted edges: Ann -> Bob (knows). Not found: Ann -> Bob (likes), Zed -> Bob (knows)',
      );
    });
  });

  describe('metadata', () => {
    beforeEach(() => mesh.addNodes(node('Ann', ['A: 1']), node('Bob')));

    test.each([
      ['the seed', { nodeName: 'Ann', metadata: ['A: 1', 'B: 2', 'B: 2'] }],
      ['the original client', { metadata: [{ nodeName: 'Ann', contents: ['A: 1', 'B: 2', 'B: 2'] }] }],
    ])('is added once, in the form of %s', async (_, args) => {
      const { data, actionTaken } = await mesh.ok('add_metadata', args);
      expect(data.nodes).toEqual([node('Ann', ['A: 1', 'B: 2'])]);
      expect(actionTaken).toBe('Added metadata to: Ann (1 of 3 entries new)');
      expect((await reread()).nodes[0]).toEqual(node('Ann', ['A: 1', 'B: 2']));
    });

    test.each([
      ['the seed', { nodeName: 'Ann', metadata: ['A: 1', 'Z: 0'] }],
      ['the original client', { deletions: [{ nodeName: 'Ann', metadata: ['A: 1', 'Z: 0'] }] }],
    ])('is deleted by exact text, in the form of %s', async (_, args) => {
      const { data, actionTaken } = await mesh.ok<object>('delete_metadata', args);
      expect(data).toEqual({
        deleted: [{ nodeName: 'Ann', metadata: ['A: 1'] }],
        not_found: [{ nodeName: 'Ann', metadata: ['Z: 0'] }],
      });
      expect(actionTaken).toBe('Deleted metadata from: Ann (1 of 2 entries found)');
      expect((await reread()).nodes[0]).toEqual(node('Ann'));
    });

    test.each([
      [
        'add_metadata',
        {
          metadata: [
            { nodeName: 'Ann', contents: ['x'] },
            { nodeName: 'Zed', contents: ['x'] },
          ],
        },
      ],
      [
        'delete_metadata',
        {
          deletions: [
            { nodeName: 'Ann', metadata: ['A: 1'] },
            { nodeName: 'Zed', metadata: [] },
          ],
        },
      ],
    ])('%s of an unknown node leaves the others as they were', async (tool, args) => {
      expect((await mesh.error(tool, args)).error).toBe('Node not found: Zed');
      expect((await mesh.readGraph()).nodes[0]).toEqual(node('Ann', ['A: 1']));
    });
  });

  describe('reads', () => {
    test('14.3 search returns neighbors', async () => {
      await mesh.addNodes(node('A', ['wanted']), node('B'), node('C'));
      await mesh.addEdges(edge('A', 'B'));
      const { data, actionTaken } = await mesh.ok('search_nodes', { query: 'WANTED' });
      expect(namesOf(data)).toEqual(['A', 'B']);
      expect(data.edges).toEqual([edge('A', 'B', 'knows', 1)]);
      expect(actionTaken).toBe('Searched nodes with query: "WANTED" - found 1 nodes');
    });

    test('14.3 open nodes returns neighbors', async () => {
      await mesh.addNodes(node('A'), node('B'), node('C'));
      await mesh.addEdges(edge('A', 'B'), edge('B', 'C'));
      const { data, actionTaken } = await mesh.ok('open_nodes', { names: ['A', 'Zed'] });
      expect(namesOf(data)).toEqual(['A', 'B']);
      expect(data.edges).toEqual([edge('A', 'B', 'knows', 1)]);
      expect(actionTaken).toBe('Retrieved 1 nodes. Not found: Zed');
    });

    test('search looks at names, kinds and metadata, and can leave the neighbours out', async () => {
      await mesh.addNodes(node('Alpha'), node('B', [], 'alphabet'), node('C', ['Key: ALPHA']), node('D'));
      await mesh.addEdges(edge('Alpha', 'B'), edge('B', 'D'));
      const { data } = await mesh.ok('search_nodes', { query: 'alpha', neighbors: false });
      expect(namesOf(data)).toEqual(['Alpha', 'B', 'C']);
      expect(data.edges).toEqual([edge('Alpha', 'B', 'knows', 1)]);
      expect(namesOf((await mesh.ok('search_nodes', { query: 'alpha' })).data)).toEqual([
        'Alpha',
        'B',
        'C',
        'D',
      ]);
    });

    test('read_graph and search_nodes come in pages', async () => {
      await mesh.addNodes(node('A'), node('B'), node('C'));
      await mesh.addEdges(edge('C', 'A'), edge('A', 'B'));
      for (const [tool, args] of [
        ['read_graph', {}],
        ['search_nodes', { query: 'thing' }],
      ] as const) {
        const first = (await mesh.ok(tool, { ...args, limit: 2 })).data;
        const second = (await mesh.ok(tool, { ...args, limit: 2, cursor: first.nextCursor })).data;
        expect([namesOf(first).slice(0, 2), namesOf(second)[0], second.nextCursor]).toEqual([
          ['A', 'B'],
          'C',
          undefined,
        ]);
        expect(second.edges).toEqual([edge('C', 'A', 'knows', 1)]);
      }
    });

    test('names that are no nodes are not shown, nor the edges to them, until the node is added', async () => {
      const memory = new MemoryTools(scratch.store);
      await mesh.addNodes(node('A'));
      await memory.createRelations({ from: 'A', to: 'Ghost', relationType: 'sees' });
      expect(await mesh.readGraph()).toEqual({ nodes: [node('A')], edges: [] });
      expect((await mesh.ok('open_nodes', { names: ['A', 'Ghost'] })).data.edges).toEqual([]);
      expect((await mesh.ok<object>('delete_nodes', { nodeNames: ['Ghost'] })).data).toEqual({
        deleted: [],
        not_found: ['Ghost'],
      });
      await mesh.addNodes(node('Ghost'));
      expect((await mesh.readGraph()).edges).toEqual([edge('A', 'Ghost', 'sees', 1)]);
    });
  });

  test('the memory tools on the same graph see the same facts, both ways', async () => {
    const memory = new MemoryTools(scratch.store);
    await memory.createEntities({ name: 'Ann', entityType: 'person', observations: ['Role: Wizard'] });
    await mesh.addNodes(node('Bob', ['Role: Thief'], 'person'));
    await mesh.addEdges(edge('Ann', 'Bob', 'knows', 0.5));
    await memory.createRelations({ from: 'Bob', to: 'Ann', relationType: 'knows' });
    await mesh.ok('add_metadata', { nodeName: 'Ann', metadata: ['Status: Active'] });
    await memory.ok('add_observations', {
      observations: [{ entityName: 'Bob', contents: ['Status: Away'] }],
    });
    expect(await mesh.readGraph()).toEqual({
      nodes: [
        node('Ann', ['Role: Wizard', 'Status: Active'], 'person'),
        node('Bob', ['Role: Thief', 'Status: Away'], 'person'),
      ],
      edges: [edge('Ann', 'Bob', 'knows', 0.5), edge('Bob', 'Ann', 'knows', 1)],
    });
    expect(await memory.readGraph()).toEqual({
      entities: [
        { name: 'Ann', entityType: 'person', observations: ['Role: Wizard', 'Status: Active'] },
        { name: 'Bob', entityType: 'person', observations: ['Role: Thief', 'Status: Away'] },
      ],
      relations: [
        { from: 'Ann', to: 'Bob', relationType: 'knows' },
        { from: 'Bob', to: 'Ann', relationType: 'knows' },
      ],
    });
  });

  describe('mistakes', () => {
    test('a name that is nearly right is suggested', async () => {
      await mesh.addNodes(node('Gandalf the Grey'), node('Rivendell'), node('Mordor'));
      const suggest = async (name: string) =>
        (await mesh.error('add_metadata', { nodeName: name, metadata: ['x'] })).suggestions.at(-1);
      expect(await suggest('rivendell')).toBe('Did you mean "Rivendell"?');
      expect(await suggest('Gandalf')).toBe('Did you mean "Gandalf the Grey"?');
      expect(await suggest('Gandlaf the Grey')).toBe('Did you mean "Gandalf the Grey"?');
      expect(await suggest('Isengard')).not.toContain('Did you mean');
    });

    test.each([
      ['add_nodes', {}, 'nodes is missing'],
      ['add_nodes', { nodes: [{ name: 'A', nodeType: 't' }] }, 'nodes[0].metadata is missing'],
      ['add_nodes', { nodes: [node('')] }, 'nodes[0].name'],
      ['add_nodes', { nodes: [node('A', [], '')] }, 'nodes[0].nodeType'],
      ['add_nodes', { nodes: [node('A\0')] }, 'NUL'],
      ['add_nodes', { nodes: [node('A', ['\ud800'])] }, 'surrogate'],
      ['add_nodes', { nodes: [node('x'.repeat(5_000))] }, 'nodes[0].name'],
      ['add_nodes', null, 'nodes is missing'],
      ['add_nodes', { nodes: 'A' }, 'nodes: expected array'],
      ['update_nodes', { nodes: [{ name: 'A', metadata: [1] }] }, 'nodes[0].metadata[0]'],
      ['add_edges', { edges: [{ ...edge('A', 'B'), weight: 'much' }] }, 'edges[0].weight'],
      ['add_metadata', { nodeName: 'A' }, 'metadata is missing'],
      ['add_metadata', { metadata: [{ nodeName: 'A', contents: 'x' }] }, 'metadata[0].contents'],
      ['delete_metadata', { deletions: {} }, 'deletions: expected array'],
      ['search_nodes', { query: 'x'.repeat(3_000) }, 'query'],
      ['search_nodes', { query: 'x', cursor: 'nonsense' }, 'cursor was not issued'],
      ['open_nodes', { names: [null] }, 'names[0]'],
    ])('%s says what to fix: #%#', async (tool, args, part) => {
      const { error, context } = await mesh.error(tool, args);
      expect(error).toContain(part);
      expect(context).toMatchObject({ tool, code: 'INVALID_ARGUMENT' });
      expect(await commits()).toBe(0);
    });

    test('names that mean something to JavaScript are names like others', async () => {
      const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '🜁 größe\n"x"'];
      await mesh.addNodes(...odd.map((name) => node(name, [name], name)));
      await mesh.addEdges(...odd.map((name) => edge('__proto__', name, name)));
      await mesh.ok('update_nodes', { nodes: odd.map((name) => ({ name, metadata: [name, 'x'] })) });
      await mesh.ok('update_edges', { edges: odd.map((name) => edge('__proto__', name, name, 0)) });
      expect(await reread()).toEqual({
        nodes: odd.map((name) => node(name, [name, 'x'], name)),
        edges: odd.map((name) => edge('__proto__', name, name, 0.5)),
      });
    });
  });
});
