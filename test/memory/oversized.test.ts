import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../src/model/limits.js';
import { readResource } from '../../src/surfaces/dispatch.js';
import { entity, type GraphAnswer, MemoryTools, namesOf, relation } from '../helpers/memory-tools.js';
import { edge, type MeshGraph, MeshTools, node } from '../helpers/mesh-tools.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

describe.each(storeKinds)('trust 16: what is longer than one answer, on $kind', (kind) => {
  let scratch: Scratch;
  let tools: MemoryTools;
  const megabyte = 1_048_576;
  const facts = Array.from({ length: 5 }, (_, index) => `${index} ${'x'.repeat(megabyte)}`);
  const longest = `${'"'.repeat(2.2 * megabyte)} the end`;
  const types = Array.from({ length: 1_100 }, (_, index) => `${index} ${'r'.repeat(4_000)}`);

  beforeAll(async () => {
    scratch = await scratchStore(kind);
    tools = new MemoryTools(scratch.store);
    await tools.createEntities(entity('small', ['first']));
    for (const fact of facts) {
      if (fact === facts[0]) await tools.createEntities(entity('big', [fact]));
      else await tools.ok('add_observations', { observations: [{ entityName: 'big', contents: [fact] }] });
    }
    await tools.createEntities(entity('long', [longest, 'after']));
    for (const part of [types.slice(0, 600), types.slice(600)])
      await tools.createRelations(...part.map((type) => relation('hub', 'small', type)));
    await tools.createEntities(entity('hub', ['last']));
  });
  afterAll(() => scratch.dispose());

  async function follow(read: (args: object) => Promise<GraphAnswer>): Promise<GraphAnswer[]> {
    const pages: GraphAnswer[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await read(cursor === undefined ? {} : { cursor });
      pages.push(page);
      cursor = page.nextCursor;
      if (cursor === undefined) return pages;
      expect(page.warnings?.[0]).toContain('Pass nextCursor as cursor to continue.');
    }
  }

  function expectEverything(pages: readonly GraphAnswer[]) {
    const entities = pages.flatMap((page) => page.entities);
    const said = (name: string) =>
      entities.filter((one) => one.name === name).flatMap((one) => one.observations);
    expect(said('small')).toEqual(['first']);
    expect(said('big')).toEqual(facts);
    expect(said('long').join('\n').replaceAll('\n', '')).toBe(`${longest}after`);
    expect(said('long').at(-1)).toBe('after');
    expect(said('hub')).toEqual(['last']);
    const relations = pages.flatMap((page) => page.relations.map(({ relationType }) => relationType));
    expect(relations.toSorted()).toEqual(types.toSorted());
  }

  test('is read in pieces by read_graph, search_nodes and open_nodes, each fact once', async () => {
    expectEverything(await follow((args) => tools.readGraph(args)));
    expectEverything(await follow((args) => tools.search('', args)));
    const names = ['small', 'big', 'long', 'hub'];
    expectEverything(await follow((args) => tools.ok('open_nodes', { names, ...args })));
  });

  test('is read in pieces by the resource, whose address goes on', async () => {
    let uri = 'memory://knowledge-graph';
    const pages = await follow(async () => {
      const page = JSON.parse((await readResource(tools.context, uri)).text);
      uri = `memory://knowledge-graph?cursor=${page.nextCursor}`;
      if (page.nextCursor !== undefined) expect(page.warnings.at(-1)).toBe(`The next page is ${uri}.`);
      return page;
    });
    expectEverything(pages);
    await expect(readResource(tools.context, 'memory://nothing?cursor=abc')).rejects.toMatchObject({
      code: 'UNKNOWN_RESOURCE',
    });
  });

  test('does not keep a page with a limit from being read', async () => {
    const pages = await follow((args) => tools.readGraph({ limit: 3, ...args }));
    expect(new Set(pages.flatMap(namesOf))).toEqual(new Set(['small', 'big', 'long', 'hub']));
    expect(pages.flatMap(({ entities }) => entities.flatMap((one) => one.observations)).join('')).toBe(
      ['first', ...facts, longest, 'after', 'last'].join(''),
    );
  });

  test('is read in pieces by the mesh tools, with every neighbour', async () => {
    const mesh = await MeshTools.open(scratch.store);
    for (const [tool, args] of [
      ['open_nodes', { names: ['hub'] }],
      ['search_nodes', { query: 'hub' }],
    ] as const) {
      const pages = await followMesh(mesh, tool, args);
      expect(pages.flatMap(({ nodes }) => nodes.map(({ name }) => name))).toEqual(['hub', 'small']);
      expect(pages.flatMap(({ edges }) => edges.map(({ edgeType }) => edgeType)).toSorted()).toEqual(
        types.toSorted(),
      );
    }
    const pages = await followMesh(mesh, 'read_graph', {});
    const said = pages.flatMap(({ nodes }) => nodes.flatMap(({ metadata }) => metadata)).join('');
    expect(said).toBe(['first', ...facts, longest, 'after', 'last'].join(''));
    await mesh.close();
  });
});

describe.each(storeKinds)('trust 16: pages, on $kind', (kind) => {
  let scratch: Scratch;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
  });
  afterEach(() => scratch.dispose());

  test('an answer that fits is as before', async () => {
    const tools = new MemoryTools(scratch.store);
    await tools.createEntities(entity('almost', ['x'.repeat(limits.answerLength - 200)]));
    const [block] = (await tools.call('read_graph')).content;
    expect(block?.text).toBe(
      JSON.stringify(
        { entities: [entity('almost', ['x'.repeat(limits.answerLength - 200)])], relations: [] },
        null,
        2,
      ),
    );
  });

  test('limit bounds the neighbours of the mesh tools too, and the cursor goes on with the rest', async () => {
    const mesh = await MeshTools.open(scratch.store);
    const leaves = Array.from({ length: 7 }, (_, index) => `leaf ${index}`);
    await mesh.addNodes(node('hub', ['hub']), node('hubcap', ['x']), ...leaves.map((name) => node(name)));
    await mesh.addEdges(...leaves.map((name) => edge('hub', name)), edge('hubcap', 'leaf 0'));
    for (const [tool, args] of [
      ['open_nodes', { names: ['hub', 'hubcap'] }],
      ['search_nodes', { query: 'hub' }],
    ] as const) {
      const pages = await followMesh(mesh, tool, { ...args, limit: 3 });
      expect(pages.map(({ nodes }) => nodes.map(({ name }) => name))).toEqual([
        ['hub', 'leaf 0', 'leaf 1', 'leaf 2'],
        ['leaf 3', 'leaf 4', 'leaf 5'],
        ['leaf 6'],
        ['hubcap', 'leaf 0'],
      ]);
      expect(pages.map(({ edges }) => edges.length)).toEqual([3, 3, 1, 1]);
    }
    await mesh.close();
  });

  test('pages of a search without neighbours have every edge between matches', async () => {
    const mesh = await MeshTools.open(scratch.store);
    await mesh.addNodes(node('a1'), node('b'), node('a2'));
    await mesh.addEdges(edge('a1', 'a2'), edge('b', 'a2'));
    for (const [tool, args] of [
      ['open_nodes', { names: ['a1', 'a2'] }],
      ['search_nodes', { query: 'a' }],
    ] as const) {
      const pages = await followMesh(mesh, tool, { ...args, neighbors: false, limit: 1 });
      expect(pages.flatMap(({ edges }) => edges)).toEqual([edge('a1', 'a2', 'knows', 1)]);
    }
    await mesh.close();
  });
});

async function followMesh(mesh: MeshTools, tool: string, args: object): Promise<MeshGraph[]> {
  const pages: MeshGraph[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data } = await mesh.ok(tool, { ...args, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(data);
    cursor = data.nextCursor;
    if (cursor === undefined) return pages;
  }
}
