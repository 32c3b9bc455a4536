import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { gateVersion } from '../../src/gate/stamp.js';
import type { Props } from '../../src/model/json.js';
import type { Provenance } from '../../src/model/provenance.js';
import { openSurface } from '../../src/surfaces/surface-registry.js';
import { databaseKinds, type Scratch, scratchStore } from '../helpers/stores.js';
import { SurfaceTools } from '../helpers/surface-tools.js';
import { requestContextOn } from '../helpers/surfaces.js';
import { exportedLines } from '../typed/exported-lines.js';

const schema = `node Person { name: String @key  age: I32? }
node Report { name: String @key  source: String?  confidence: F64? }
edge Knows: Person -> Person { since: I32? }
edge Cites: Report -> Report { source: String? }
`;
const registry = [
  ['Person', { kind: 'node', absorbs: ['Human'] }],
  ['Report', { kind: 'node' }],
  ['Knows', { kind: 'relationship', from: ['Person'], to: ['Person'] }],
] as const;

describe.each(databaseKinds)('trust 4: provenance can be read on $kind', (kind) => {
  let scratch: Scratch;
  let graphs = 0;
  let graph: Graph;

  beforeAll(async () => {
    scratch = await scratchStore(kind);
  });
  afterAll(() => scratch.dispose());
  beforeEach(async () => {
    graph = await newGraph();
  });

  const newGraph = async () => {
    const name = `g${++graphs}`;
    await scratch.store.createGraph(name);
    return new Graph(scratch.store, name);
  };
  const on = async (name: string, on = graph) => {
    const surface = await openSurface(name, {
      store: scratch.store,
      graph: on,
      settings: {},
      warn: () => {},
    });
    return new SurfaceTools(requestContextOn(surface, on));
  };
  const tools = (of = graph) => on('graph', of);
  const rows = async (source: string) => (await (await tools()).ok('query', { source }))['rows'];
  const gate = async (name: string, args: object) =>
    expect(await (await on('gate')).ok(name, args)).toMatchObject({ status: 'written' });
  const exported = (of = graph) => exportedLines<{ type?: string; data: Props; provenance?: Provenance }>(of);
  const ingest = async (lines: readonly object[], mode = 'merge', of = graph) =>
    (await tools(of)).ok('ingest', {
      ndjson: lines.map((line) => JSON.stringify(line)).join('\n'),
      mode,
      ...(mode === 'overwrite' ? { cascade: true } : {}),
    });

  /** Ada and Bob, who know each other: sure of the one, not so sure of the other. */
  const write = async (ada = 'Person') => {
    await gate('write_node', {
      ...{ label: ada, merge_keys: { name: 'Ada' }, properties: { age: 36 } },
      ...{ source: 'registry', extraction_method: 'api', reliability: 0.9 },
    });
    await gate('write_node', {
      ...{ label: 'Person', merge_keys: { name: 'Bob' }, properties: { age: 40 } },
      ...{ source: 'chat', extraction_method: 'llm', reliability: 0.5 },
    });
    await gate('write_relationship', {
      ...{ type: 'Knows', from_label: 'Person', from_keys: { name: 'Ada' } },
      ...{ to_label: 'Person', to_keys: { name: 'Bob' }, properties: { since: 1999 } },
      ...{ source: 'letter', extraction_method: 'manual', reliability: 0.8 },
    });
  };
  const openGate = async () => {
    const nodes = registry.map(([name, data]) => ({
      type: 'Schema',
      data: { name, allowed: true, ...data },
    }));
    await (await tools()).ok('ingest', { ndjson: nodes.map((node) => JSON.stringify(node)).join('\n') });
    await (await on('gate')).ok('refresh_schema_cache');
  };

  describe.each(['with a schema', 'without a schema'])('%s', (which) => {
    const typed = which === 'with a schema';
    beforeEach(async () => {
      if (typed) await (await tools()).ok('schema_apply', { schema });
      else await openGate();
      await write(typed ? 'Person' : 'Human');
    });

    test('queries return, filter and order by what the gate stamped on nodes', async () => {
      expect(
        await rows(`query q() {
          match { $p: Person  $p.confidence > 0.1 and $p.last_updated > datetime("2020-01-01T00:00:00Z") }
          return { $p.name, $p.source, $p.extraction_method, $p.confidence, $p.write_gate_version, $p._schema_remap_from }
          order { $p.confidence desc }
        }`),
      ).toEqual([
        {
          ...{ 'p.name': 'Ada', 'p.source': 'registry', 'p.extraction_method': 'api' },
          ...{ 'p.confidence': 0.9, 'p.write_gate_version': gateVersion },
          'p._schema_remap_from': typed ? null : ':Human',
        },
        {
          ...{ 'p.name': 'Bob', 'p.source': 'chat', 'p.extraction_method': 'llm' },
          ...{ 'p.confidence': 0.3, 'p.write_gate_version': gateVersion, 'p._schema_remap_from': null },
        },
      ]);
      expect(await rows('query q() { match { $p: Person { source: "chat" } } return { $p.name }}')).toEqual([
        { 'p.name': 'Bob' },
      ]);
      expect(
        await rows(
          'query q() { match { $p: Person } return { min($p.confidence) as least, count($p.source) as n } }',
        ),
      ).toEqual([{ least: 0.3, n: 2 }]);
    });

    test('queries return, filter and order by what the gate stamped on edges', async () => {
      const edge = typed ? 'knows' : '`Knows`';
      expect(
        await rows(`query q() {
          match { $a: Person  $a $k: ${edge} $b  $k.confidence >= 0.6 }
          return { $k.source, $k.since, $k.last_updated }
          order { $k.confidence }
        }`),
      ).toEqual([{ 'k.source': 'letter', 'k.since': 1999, 'k.last_updated': expect.stringMatching(/Z$/) }]);
      expect(await rows(`query q() { match { $a: Person  $a $k: ${edge} $b } return { $k } }`)).toMatchObject(
        [{ k: { from: 'Ada', to: 'Bob', since: 1999, source: 'letter', extraction_method: 'manual' } }],
      );
    });

    test('a whole node has its stamp, and one that nobody stamped has none', async () => {
      await (await on('memory')).ok('create_entities', {
        entities: [{ name: 'Eve', entityType: 'Person', observations: [] }],
      });
      const whole = await rows('query q() { match { $p: Person } return { $p } order { $p.name } }');
      expect(whole).toEqual([
        {
          p: {
            ...{ '@id': 'Ada', name: 'Ada', age: 36, source: 'registry', extraction_method: 'api' },
            ...{ confidence: 0.9, write_gate_version: gateVersion, last_updated: expect.any(String) },
            ...(typed ? {} : { _schema_remap_from: ':Human' }),
          },
        },
        { p: expect.objectContaining({ name: 'Bob', source: 'chat', confidence: 0.3 }) },
        { p: { '@id': 'Eve', name: 'Eve' } },
      ]);
      expect(
        await rows('query q() { match { $p: Person  $p.source is null } return { $p.name, $p.confidence } }'),
      ).toEqual([{ 'p.name': 'Eve', 'p.confidence': null }]);
    });

    test('mutations find rows by their stamp, and a changed value loses the stamp it had', async () => {
      expect(
        await (await tools()).ok('mutate', {
          source: 'query q() { update Person set { age: 41 } where confidence < 0.5 }',
        }),
      ).toMatchObject({ affected_nodes: 1 });
      const { commits } = await (await tools()).ok('commits_list', { limit: 1 });
      const [commit] = commits as { commit_id: string }[];
      const { changes } = await (await tools()).ok('commits_get', { commit_id: commit?.commit_id });
      expect(changes).toMatchObject({
        nodes: [
          {
            ...{ change: 'changed', name: 'Bob' },
            properties: {
              'props.age': { before: 40, after: 41 },
              provenance: {
                before: { source: 'chat', properties: { age: { source: 'chat' } } },
                after: {
                  source: 'chat',
                  properties: expect.not.objectContaining({ age: expect.anything() }),
                },
              },
            },
          },
        ],
      });
    });

    test('an export has the provenance, and ingested it is the same', async () => {
      const lines = await exported();
      expect(lines.filter(({ provenance }) => provenance !== undefined)).toHaveLength(3);
      expect(lines.find(({ data }) => data['age'] === 36)?.provenance).toMatchObject({
        ...{ source: 'registry', confidence: 0.9, merge_keys: ['name'] },
        properties: { age: { source: 'registry', confidence: 0.9 } },
      });
      for (const mode of ['merge', 'append', 'overwrite']) {
        const copy = await newGraph();
        if (typed) await (await tools(copy)).ok('schema_apply', { schema });
        await ingest(lines, mode, copy);
        expect(await exported(copy)).toEqual(lines);
        if (mode !== 'append') expect(await ingest(lines, mode, copy)).toMatchObject({ commit_id: null });
      }
    });

    test('ingested lines without provenance leave the stamps of what stays, and no other', async () => {
      const plain = (await exported()).map(({ provenance: _, ...line }) => line);
      expect(await ingest(plain)).toMatchObject({ commit_id: null });
      await ingest([{ type: 'Person', data: { name: 'Ada', age: 37 } }]);
      expect((await exported()).find(({ data }) => data['age'] === 37)?.provenance).toEqual({
        ...{ source: 'registry', extraction_method: 'api', confidence: 0.9, write_gate_version: gateVersion },
        ...(typed ? {} : { _schema_remap_from: ':Human' }),
        ...{ last_updated: expect.any(String), merge_keys: ['name'] },
        properties: { name: expect.objectContaining({ source: 'registry' }) },
      });
      await ingest([{ type: 'Person', data: { name: 'Ada', age: 38 } }], 'overwrite');
      expect((await exported()).filter(({ type }) => type === 'Person')).toEqual([
        expect.not.objectContaining({ provenance: expect.anything() }),
      ]);
    });

    test('open_nodes of the workspace shows it, of nodes, of relations and of each property', async () => {
      await (await on('memory')).ok('create_entities', {
        entities: [{ name: 'Eve', entityType: 'Person', observations: ['is new'] }],
      });
      const names = ['Ada', 'Eve'];
      const { entities, relations } = await (await on('workspace')).ok('open_nodes', { names });
      const stamp = {
        ...{ source: 'registry', extraction_method: 'api', confidence: 0.9 },
        ...{ write_gate_version: gateVersion, last_updated: expect.any(String) },
      };
      const [ada, eve] = entities as { provenance?: object }[];
      expect(ada?.provenance).toEqual({
        ...stamp,
        ...(typed ? {} : { _schema_remap_from: ':Human' }),
        properties: { name: stamp, age: stamp },
      });
      expect(eve).not.toHaveProperty('provenance');
      expect(relations).toEqual([
        expect.objectContaining({
          ...{ from: 'Ada', to: 'Bob' },
          provenance: expect.objectContaining({
            source: 'letter',
            properties: { since: expect.objectContaining({ source: 'letter', extraction_method: 'manual' }) },
          }),
        }),
      ]);
      await (await on('memory')).ok('delete_observations', {
        deletions: [{ entityName: 'Ada', observations: ['age: 36'] }],
      });
      const after = await (await on('workspace')).ok('open_nodes', { names: ['Ada'] });
      expect(after['entities']).toMatchObject([{ provenance: { properties: { name: stamp } } }]);
      expect(JSON.stringify(after['entities'])).not.toContain('"age"');
    });

    test('commits_get shows what was stamped, on nodes, on edges and on each property', async () => {
      const { commits } = await (await tools()).ok('commits_list', { limit: 2 });
      const [edge, node] = commits as { commit_id: string }[];
      expect(
        (await (await tools()).ok('commits_get', { commit_id: node?.commit_id }))['changes'],
      ).toMatchObject({
        nodes: [
          {
            name: 'Bob',
            provenance: { ...{ source: 'chat', confidence: 0.3 }, properties: { age: { source: 'chat' } } },
          },
        ],
      });
      expect(
        (await (await tools()).ok('commits_get', { commit_id: edge?.commit_id }))['changes'],
      ).toMatchObject({
        edges: [{ provenance: { source: 'letter', properties: { since: { source: 'letter' } } } }],
      });
    });
  });

  test('a declared property of the same name wins, also where it is empty', async () => {
    await (await tools()).ok('schema_apply', { schema });
    const report = (name: string, properties: object) =>
      gate('write_node', {
        ...{ label: 'Report', merge_keys: { name }, properties },
        ...{ source: 'registry', extraction_method: 'api', reliability: 0.9 },
      });
    await report('annual', {});
    await (await tools()).ok('mutate', {
      source: 'query q() { update Report set { source: "the board" } where name = "annual" }',
    });
    expect(
      await rows(
        'query q() { match { $r: Report  $r.source = "the board" } return { $r, $r.source, $r.confidence, $r.extraction_method } }',
      ),
    ).toEqual([
      {
        r: {
          ...{ '@id': 'annual', name: 'annual', source: 'the board', extraction_method: 'api' },
          ...{ write_gate_version: gateVersion, last_updated: expect.any(String) },
        },
        ...{ 'r.source': 'the board', 'r.confidence': null, 'r.extraction_method': 'api' },
      },
    ]);
    await (await tools()).ok('ingest', {
      ndjson: '{"edge":"Cites","from":"annual","to":"annual","data":{"source":"page 3"}}',
    });
    expect(
      await rows('query q() { match { $r: Report  $r $c: cites $s } return { $c.source, $c.confidence } }'),
    ).toEqual([{ 'c.source': 'page 3', 'c.confidence': null }]);
  });

  test.each([
    ['{"confidence":2}', 'a number between 0 and 1'],
    ['{"confidence":"0.5"}', 'a number between 0 and 1'],
    ['{"source":7}', 'a string'],
    ['{"sorce":"x"}', 'Did you mean "source"'],
    ['{"last_updated":"yesterday"}', 'a time'],
    ['{"merge_keys":"name"}', 'a list'],
    ['{"properties":{"age":{}}}', 'not in data'],
    ['{"properties":{"name":{"properties":{}}}}', 'unknown key'],
    ['"gate"', 'an object'],
  ])('a line with the provenance %s is refused', async (provenance, reason) => {
    const line = `{"type":"Person","data":{"name":"Eve"},"provenance":${provenance}}`;
    const text = await (await tools()).error('ingest', { ndjson: line });
    expect(text).toMatch(/^Line 1: /);
    expect(text).toContain(reason);
    expect(await exported()).toEqual([]);
  });

  test('without a schema a property cannot hide a stamp: who gives it one of the same name is refused', async () => {
    await openGate();
    await write();
    const before = await exported();
    const refused = /stamped this (Person|Knows) with "confidence"/;
    const lines = [
      '{"type":"Person","data":{"name":"Ada","confidence":1}}',
      '{"edge":"Knows","from":"Ada","to":"Bob","data":{"confidence":1}}',
    ];
    for (const ndjson of lines) expect(await (await tools()).error('ingest', { ndjson })).toMatch(refused);
    const statements = [
      'insert Person { name: "Ada", confidence: 1.0 }',
      'insert Knows { from: "Ada", to: "Bob", confidence: 1.0 }',
      'update Person set { confidence: 1.0 } where name = "Ada"',
      'update Knows set { confidence: 1.0 } where from = "Ada"',
    ];
    for (const statement of statements)
      expect(await (await tools()).error('mutate', { source: `query q() { ${statement} }` })).toMatch(
        refused,
      );
    expect(await exported()).toEqual(before);
  });

  test('without a schema a property of the same name is read where nothing is stamped', async () => {
    await (await tools()).ok('ingest', {
      ndjson: '{"type":"Person","data":{"name":"Eve","source":"web","confidence":"high"}}',
    });
    expect(
      await rows('query q() { match { $p: Person { source: "web" } } return { $p.confidence, $p } }'),
    ).toEqual([
      { 'p.confidence': 'high', p: { '@id': 'Eve', name: 'Eve', source: 'web', confidence: 'high' } },
    ]);
  });

  test('without a schema the gate stamps nothing that has a property of the same name', async () => {
    await openGate();
    await ingest([
      { type: 'Person', data: { name: 'Eve', source: 'web' } },
      { type: 'Person', data: { name: 'Bob' } },
      { edge: 'Knows', from: 'Eve', to: 'Bob', data: { confidence: 'high' } },
    ]);
    const before = await exported();
    const origin = { source: 'registry', extraction_method: 'api' };
    const node = { label: 'Person', merge_keys: { name: 'Eve' }, properties: { age: 1 }, ...origin };
    const relationship = {
      ...{ type: 'Knows', from_label: 'Person', from_keys: { name: 'Eve' } },
      ...{ to_label: 'Person', to_keys: { name: 'Bob' }, ...origin },
    };
    expect(await (await on('gate')).ok('write_node', node)).toMatchObject({
      error_code: 'SCHEMA_PROTECTED_FIELD',
      details: { fields: [{ argument: 'stored', field: 'source' }] },
    });
    expect(await (await on('gate')).ok('write_relationship', relationship)).toMatchObject({
      error_code: 'SCHEMA_PROTECTED_FIELD',
      details: { fields: [{ argument: 'stored', field: 'confidence' }] },
    });
    expect(await exported()).toEqual(before);
    await (await tools()).ok('mutate', {
      source: 'query q() { update Person set { source: null } where name = "Eve" }',
    });
    await gate('write_node', node);
  });
});
