import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { entity, MemoryTools, relation } from '../helpers/memory-tools.js';
import { MeshTools, node } from '../helpers/mesh-tools.js';
import { type Scratch, scratchStore, storeKinds } from '../helpers/stores.js';

describe.each(storeKinds)('trust 19: small promises of the memory and mesh tools, on $kind', (kind) => {
  let scratch: Scratch;
  let tools: MemoryTools;

  beforeEach(async () => {
    scratch = await scratchStore(kind);
    tools = new MemoryTools(scratch.store);
  });
  afterEach(() => scratch.dispose());

  test('a ranked search without words finds nothing, and says why', async () => {
    await tools.createEntities(entity('a', ['What???']));
    expect(await tools.search('???', { mode: 'ranked' })).toEqual({
      entities: [],
      relations: [],
      warnings: [expect.stringContaining('no letter or digit')],
    });
    expect((await tools.search('???')).entities).toHaveLength(1);
  });

  test('blank names and observations are refused, and nothing is stored', async () => {
    await tools.createEntities(entity('a'));
    const blank = [
      ['create_entities', { entities: [entity('b'), entity('  ')] }],
      ['create_entities', { entities: [entity('b', ['fine', ''])] }],
      ['add_observations', { observations: [{ entityName: 'a', contents: [' '] }] }],
      ['create_relations', { relations: [relation('a', ' ')] }],
    ] as const;
    for (const [tool, args] of blank)
      expect(await tools.error(tool, args)).toMatch(/must not be (empty|blank)/);
    const mesh = await MeshTools.open(scratch.store);
    for (const [tool, args] of [
      ['add_nodes', { nodes: [node('b', [''])] }],
      ['add_metadata', { nodeName: 'a', metadata: [' '] }],
      ['update_nodes', { nodes: [{ name: 'a', metadata: [''] }] }],
    ] as const) {
      expect((await mesh.error(tool, args)).error).toMatch(/must not be (empty|blank)/);
    }
    await mesh.close();
    expect(await tools.readGraph()).toEqual({ entities: [entity('a')], relations: [] });
  });

  test('a cursor of another tool is refused', async () => {
    await tools.createEntities(entity('a'), entity('b'));
    const { nextCursor: ofGraph } = await tools.readGraph({ limit: 1 });
    const { nextCursor: ofSearch } = await tools.search('thing', { limit: 1 });
    const { nextCursor: ofRanked } = await tools.search('thing', { limit: 1, mode: 'ranked' });
    for (const [tool, args] of [
      ['search_nodes', { query: 'thing', cursor: ofGraph }],
      ['search_nodes', { query: 'thing', mode: 'ranked', cursor: ofGraph }],
      ['search_nodes', { query: 'thing', cursor: ofRanked }],
      ['read_graph', { cursor: ofSearch }],
      ['read_graph', { cursor: ofRanked }],
      ['open_nodes', { names: ['a'], cursor: ofGraph }],
    ] as const) {
      expect(await tools.error(tool, args)).toContain('The cursor was not issued by this tool.');
    }
  });
});
