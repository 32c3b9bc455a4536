import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { SurfaceTools } from '../helpers/surface-tools.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { exportedLines } from '../typed/exported-lines.js';

/** A call that means the Company among the nodes named Apple, with its type left out and with it. */
type Call = readonly [tool: string, unsure: object, sure: object];

const memory: readonly Call[] = [
  [
    'add_observations',
    { observations: [{ entityName: 'Apple', contents: ['makes phones'] }] },
    { observations: [{ entityName: 'Apple', entityType: 'Company', contents: ['makes phones'] }] },
  ],
  [
    'delete_observations',
    { deletions: [{ entityName: 'Apple', observations: ['is old'] }] },
    { deletions: [{ entityName: 'Apple', entityType: 'Company', observations: ['is old'] }] },
  ],
  [
    'create_relations',
    { relations: [{ from: 'Bob', to: 'Apple', relationType: 'works_at' }] },
    { relations: [{ from: 'Bob', to: 'Apple', toEntityType: 'Company', relationType: 'works_at' }] },
  ],
  [
    'delete_relations',
    { relations: [{ from: 'Apple', to: 'Bob', relationType: 'knows' }] },
    { relations: [{ from: 'Apple', fromEntityType: 'Company', to: 'Bob', relationType: 'knows' }] },
  ],
  ['delete_entities', { entityNames: ['Apple'] }, { entityNames: ['Apple'], entityType: 'Company' }],
];

const mesh: readonly Call[] = [
  [
    'add_metadata',
    { nodeName: 'Apple', metadata: ['makes phones'] },
    { nodeName: 'Apple', entityType: 'Company', metadata: ['makes phones'] },
  ],
  [
    'delete_metadata',
    { nodeName: 'Apple', metadata: ['is old'] },
    { nodeName: 'Apple', entityType: 'Company', metadata: ['is old'] },
  ],
  [
    'update_nodes',
    { nodes: [{ name: 'Apple', metadata: ['is new'] }] },
    { nodes: [{ name: 'Apple', entityType: 'Company', metadata: ['is new'] }] },
  ],
  [
    'add_edges',
    { edges: [{ from: 'Bob', to: 'Apple', edgeType: 'works_at' }] },
    { edges: [{ from: 'Bob', to: 'Apple', toEntityType: 'Company', edgeType: 'works_at' }] },
  ],
  [
    'update_edges',
    { edges: [{ from: 'Apple', to: 'Bob', edgeType: 'knows', weight: 0.5 }] },
    { edges: [{ from: 'Apple', fromEntityType: 'Company', to: 'Bob', edgeType: 'knows', weight: 0.5 }] },
  ],
  [
    'delete_edges',
    { edges: [{ from: 'Apple', to: 'Bob', edgeType: 'knows' }] },
    { edges: [{ from: 'Apple', fromEntityType: 'Company', to: 'Bob', edgeType: 'knows' }] },
  ],
  ['delete_nodes', { nodeNames: ['Apple'] }, { nodeNames: ['Apple'], entityType: 'Company' }],
];

const workspace: readonly Call[] = [
  [
    'add_observations',
    { observations: [{ entity_name: 'Apple', contents: ['makes phones'] }] },
    { observations: [{ entity_name: 'Apple', entity_type: 'Company', contents: ['makes phones'] }] },
  ],
  [
    'replace_observation',
    { entity_name: 'Apple', ordinal: 1, new_content: 'is new' },
    { entity_name: 'Apple', entity_type: 'Company', ordinal: 1, new_content: 'is new' },
  ],
  [
    'delete_observations',
    { deletions: [{ entity_name: 'Apple', ordinals: [1] }] },
    { deletions: [{ entity_name: 'Apple', entity_type: 'Company', ordinals: [1] }] },
  ],
  [
    'set_summary',
    { name: 'Apple', summary: 'A firm' },
    { name: 'Apple', entity_type: 'Company', summary: 'A firm' },
  ],
  ['set_tags', { name: 'Apple', tags: ['firm'] }, { name: 'Apple', entity_type: 'Company', tags: ['firm'] }],
  [
    'create_relations',
    { relations: [{ from_entity: 'Bob', to_entity: 'Apple', relation_type: 'works_at' }] },
    {
      relations: [
        { from_entity: 'Bob', to_entity: 'Apple', to_entity_type: 'Company', relation_type: 'works_at' },
      ],
    },
  ],
  [
    'update_relation_type',
    { from_entity: 'Apple', to_entity: 'Bob', old_type: 'knows', new_type: 'pays' },
    {
      from_entity: 'Apple',
      from_entity_type: 'Company',
      to_entity: 'Bob',
      old_type: 'knows',
      new_type: 'pays',
    },
  ],
  [
    'delete_relations',
    { relations: [{ from_entity: 'Apple', to_entity: 'Bob', relation_type: 'knows' }] },
    {
      relations: [
        { from_entity: 'Apple', from_entity_type: 'Company', to_entity: 'Bob', relation_type: 'knows' },
      ],
    },
  ],
  ['delete_entities', { entity_names: ['Apple'] }, { entity_names: ['Apple'], entity_type: 'Company' }],
];

/** A reading call about the Company, and what tells its answer from one about the Person. */
const reads: readonly (readonly [
  surface: string,
  tool: string,
  args: object,
  has: string,
  hasNot: string,
])[] = [
  ['memory', 'open_nodes', { names: ['Apple'], entityType: 'Company' }, 'sells fruit', 'likes tea'],
  ['mesh', 'open_nodes', { names: ['Apple'], entityType: 'Company' }, 'sells fruit', 'likes tea'],
  ['workspace', 'open_nodes', { names: ['Apple'], entity_type: 'Company' }, 'sells fruit', 'likes tea'],
  ['workspace', 'get_neighborhood', { name: 'Apple', entity_type: 'Company' }, '"Company"', '"Person"'],
  [
    'workspace',
    'query_observations',
    { entity_name: 'Apple', entity_type: 'Company', query: 'fruit tea', mode: 'text' },
    'sells fruit',
    'likes tea',
  ],
  [
    'workspace',
    'get_relations_between',
    { entity_a: 'Apple', entity_a_type: 'Company', entity_b: 'Bob' },
    'knows',
    'likes',
  ],
  [
    'workspace',
    'get_path',
    { from_entity: 'Apple', from_entity_type: 'Company', to_entity: 'Bob' },
    'knows',
    'likes',
  ],
];

describe.each(databaseKinds)('trust 18: nodes that share a name are told apart on $kind', (kind) => {
  let scratch: Scratch;
  let graph: Graph;
  let graphs = 0;

  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());
  beforeEach(async () => {
    const name = `g${++graphs}`;
    await scratch.store.createGraph(name);
    graph = new Graph(scratch.store, name);
    const lines = [
      { type: 'Person', data: { name: 'Apple' }, observations: ['is old', 'likes tea'] },
      { type: 'Company', data: { name: 'Apple' }, observations: ['is old', 'sells fruit'] },
      { type: 'Firm', data: { name: 'Bob' } },
    ];
    await (await on('graph')).ok('ingest', { ndjson: lines.map((line) => JSON.stringify(line)).join('\n') });
    const [person, company, bob] = await graph.read((reader) => reader.nodes());
    await graph.write({ actor: 'ann', tool: 'test' }, async ({ rows }) => {
      const edge = { to: bob?.id ?? 0, key: '', fromName: 'Apple', toName: 'Bob' };
      await rows.putEdges([
        { ...edge, from: company?.id ?? 0, type: 'knows' },
        { ...edge, from: person?.id ?? 0, type: 'likes' },
        { ...edge, from: person?.id ?? 0, type: 'knows' },
      ]);
    });
  });

  const on = async (name: string, schemas?: string) => {
    const settings = { schemas };
    const surface = await openSurface(name, { store: scratch.store, graph, settings, warn: () => {} });
    return new SurfaceTools(requestContextOn(surface, graph));
  };
  /** All there is about each node of that name. */
  const state = () =>
    graph.read(async (reader) => {
      const nodes = (await reader.nodes()).filter(({ name }) => name === 'Apple');
      const all = await Promise.all(
        nodes.map(async ({ id, type, summary, tags }) => {
          const observations = (await reader.observationsOf([id])).map(({ text }) => text);
          const edges = (await reader.edgesOf([id])).map((edge) => [edge.type, edge.weight]);
          return [type, { summary, tags, observations, edges }] as const;
        }),
      );
      return new Map(all);
    });

  describe.each([
    ['memory', memory],
    ['mesh', mesh],
    ['workspace', workspace],
  ] as const)('%s:', (surface, calls) => {
    test.each(calls)('%s asks for the type, and with it means that one', async (tool, unsure, sure) => {
      const before = await state();
      const tools = await on(surface);
      const refused = await tools.error(tool, unsure);
      expect(refused).toContain('Several nodes are named Apple, of the types');
      expect(refused).toContain(surface === 'workspace' ? 'entity_type' : 'entityType');
      const unfilled = JSON.parse(JSON.stringify(sure).replaceAll('"Company"', 'null'));
      expect(await tools.error(tool, unfilled)).toBe(refused);
      expect(await state()).toEqual(before);
      await tools.ok(tool, sure);
      const after = await state();
      expect(after.get('Person')).toEqual(before.get('Person'));
      expect(after.get('Company')).not.toEqual(before.get('Company'));
    });
  });

  test.each(reads)('%s: %s of one type answers that one', async (surface, tool, args, has, hasNot) => {
    const answer = JSON.stringify(await (await on(surface)).ok(tool, args));
    expect(answer).toContain(has);
    expect(answer).not.toContain(hasNot);
  });

  test('a type that no node of the name has is not found, and nothing is made of it', async () => {
    const before = await state();
    const relation = { from: 'Bob', to: 'Apple', relationType: 'eats' };
    expect(
      await (await on('memory')).error('create_relations', {
        relations: [{ ...relation, toEntityType: 'Fruit' }],
      }),
    ).toContain('Node not found: Apple (of type Fruit)');
    expect(
      await (await on('workspace')).error('set_tags', { name: 'Apple', entity_type: 'Fruit', tags: [] }),
    ).toContain("Node 'Apple' of type 'Fruit' not found.");
    expect(
      await (await on('workspace')).error('query_observations', { entity_name: 'Apple', query: 'tea' }),
    ).toContain('Several nodes are named Apple');
    expect(await state()).toEqual(before);
  });

  test('an entity that is appended to is the one of its type', async () => {
    const before = await state();
    const tools = await on('workspace');
    const append = (...types: readonly string[]) => ({
      entities: types.map((type) => ({
        ...{ name: 'Apple', entity_type: type, observations: [`${type} is new`] },
        ...{ summary: type, tags: [type] },
      })),
      on_conflict: 'append',
    });
    expect(await tools.error('create_entities', append('Fruit'))).toContain('Several nodes are named Apple');
    expect(await state()).toEqual(before);
    expect(await tools.ok('create_entities', append('Company', 'Person', 'Company'))).toMatchObject({
      results: [{ entity_type: 'Company' }, { entity_type: 'Person' }],
    });
    const after = await state();
    for (const [type, times] of Object.entries({ Company: 2, Person: 1 })) {
      expect(after.get(type)).toMatchObject({ summary: type, tags: [type] });
      expect(after.get(type)?.observations.slice(2)).toEqual(Array(times).fill(`${type} is new`));
    }
  });

  test('relations named with a type and without are one relation', async () => {
    const tools = await on('workspace');
    const relation = {
      from_entity: 'Bob',
      to_entity: 'Apple',
      to_entity_type: 'Company',
      relation_type: 'eats',
    };
    const sure = { ...relation, from_entity_type: 'Firm' };
    expect(await tools.ok('create_relations', { relations: [relation, sure] })).toMatchObject({
      created: [{ from_entity: 'Bob' }],
      already_existed: [{ from_entity: 'Bob' }],
    });
    expect(await tools.ok('delete_relations', { relations: [relation, sure] })).toEqual({
      ...{ deleted: 1, not_found: 1 },
    });
  });

  test('an export says the types of ends that share a name, and ingested it is the same', async () => {
    const lines = await exportedLines<{ edge?: string }>(graph);
    expect(lines.filter(({ edge }) => edge === 'knows')).toMatchObject([
      { from: 'Apple', from_type: 'Company', to: 'Bob' },
      { from: 'Apple', from_type: 'Person', to: 'Bob' },
    ]);
    expect(lines.filter((line) => 'to_type' in line)).toEqual([]);
    const before = graph;
    await scratch.store.createGraph(`copy${graphs}`);
    graph = new Graph(scratch.store, `copy${graphs}`);
    const ndjson = lines.map((line) => JSON.stringify(line)).join('\n');
    await (await on('graph')).ok('ingest', { ndjson });
    expect(await exportedLines(graph)).toEqual(await exportedLines(before));
    expect(
      await (await on('graph')).error('ingest', { ndjson: ndjson.replaceAll(/"from_type":"[^"]*",/g, '') }),
    ).toContain('Choose one with from_type.');
  });

  test('the tools of a schema mean nodes of their type, and relationships the type they name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-namesakes-'));
    try {
      const schema = {
        name: 'add_Company',
        description: 'Add a company',
        properties: {
          name: { type: 'string', description: 'What it is called', required: true },
          note: { type: 'string', description: 'What there is to say' },
          rival: {
            type: 'string',
            description: 'Another one',
            relationship: { edgeType: 'rivals', nodeType: 'Person', description: 'competes with' },
          },
        },
      };
      await writeFile(join(folder, 'Company.schema.json'), JSON.stringify(schema));
      const tools = await on('mesh', folder);
      const before = await state();
      await tools.ok('update_Company', { Company: { name: 'Apple', note: 'sells more' } });
      expect((await state()).get('Company')?.observations).toContain('Note: sells more');
      await tools.ok('add_Company', { Company: { name: 'Pear', note: 'is new', rival: 'Apple' } });
      expect((await state()).get('Person')?.edges).toContainEqual(['rivals', 1]);
      await tools.ok('delete_Company', { Company: { name: 'Apple' } });
      expect([...(await state()).keys()]).toEqual(['Person']);
      expect((await state()).get('Person')?.observations).toEqual(before.get('Person')?.observations);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
