import type { Action } from '../../../src/access/permission.js';

/** A call of somebody who has some rights, and not the one to read. */
export interface ConcealedCall {
  readonly surface: string;
  readonly graph: string;
  readonly tool: string;
  readonly rights: readonly Action[];
  /** Branches that may be read all the same. */
  readonly readable?: readonly string[];
  readonly args: object;
  /** Whether whoever may read is shown something that was stored: shows that the call would tell. */
  readonly tells?: boolean;
}

type Row = readonly [tool: string, args: object, tells?: 'tells'];

function rows(
  surface: string,
  graph: string,
  about: Pick<ConcealedCall, 'rights' | 'readable'>,
  listed: readonly Row[],
): readonly ConcealedCall[] {
  return listed.map(([tool, args, tells]) => ({
    surface,
    graph,
    ...about,
    tool,
    args,
    tells: tells === 'tells',
  }));
}

const change = { rights: ['change'] } as const;
const origin = { source: 'me', extraction_method: 'llm' };

const memory = rows('memory', 'default', change, [
  ['create_entities', { entities: [{ name: 'Known', entityType: 'x', observations: [] }] }],
  ['create_relations', { relations: [{ from: 'Known', to: 'Inn', relationType: 'visits' }] }],
  ['add_observations', { observations: [{ entityName: 'Known', contents: ['new'] }] }],
  ['add_observations', { observations: [{ entityName: 'Know', contents: ['new'] }] }],
  ['delete_observations', { deletions: [{ entityName: 'Known', observations: ['none'] }] }],
  ['delete_relations', { relations: [{ from: 'Known', to: 'Inn', relationType: 'none' }] }],
  ['delete_entities', { entityNames: ['Know'] }],
]);

const mesh = rows('mesh', 'default', change, [
  ['add_nodes', { nodes: [{ name: 'Known', nodeType: 'x', metadata: [] }] }],
  ['update_nodes', { nodes: [{ name: 'Known', nodeType: 'kind' }] }, 'tells'],
  ['update_nodes', { nodes: [{ name: 'Knowne', nodeType: 'kind' }] }, 'tells'],
  ['add_metadata', { nodeName: 'Known', metadata: ['a: b'] }, 'tells'],
  ['delete_metadata', { nodeName: 'Knowne', metadata: ['a: b'] }, 'tells'],
  ['delete_metadata', { nodeName: 'Known', metadata: ['a: b'] }],
  ['add_edges', { edges: [{ from: 'Known', to: 'Inn', edgeType: 'visits' }] }],
  ['update_edges', { edges: [{ from: 'Known', to: 'Inn', edgeType: 'visits', weight: 1 }] }, 'tells'],
  ['add_location', { location: { name: 'Known' } }],
  ['add_npc', { npc: { name: 'Bo', role: 'Thief', status: 'Active', currentLocation: 'Inn' } }],
  ['update_npc', { update_npc: { name: 'Inn', role: 'Thief' } }, 'tells'],
  ['update_location', { update_location: { name: 'Known', region: 'x' } }],
  ['delete_quest', { delete_quest: { name: 'Knowne' } }, 'tells'],
  ['delete_edges', { edges: [{ from: 'Known', to: 'Inn', edgeType: 'none' }] }],
  ['delete_nodes', { nodeNames: ['Knowne'] }],
]);

/** Two nodes of one name, of which one is of a type that is nobody's business. */
const namesakes = rows('mesh', 'typed', change, [
  ['add_metadata', { nodeName: 'core', metadata: ['a: b'] }, 'tells'],
  ['update_nodes', { nodes: [{ name: 'core', metadata: [] }] }, 'tells'],
]);

const workspace = rows('workspace', 'default', change, [
  ['create_entities', { entities: [{ name: 'Known', entity_type: 'x' }] }],
  ['create_entities', { entities: [{ name: 'Known', entity_type: 'x' }], on_conflict: 'skip' }],
  ['create_entities', { entities: [{ name: 'Ghost', entity_type: 'x' }], on_conflict: 'append' }, 'tells'],
  ['set_summary', { name: 'Inn', summary: 'new' }],
  ['set_tags', { name: 'Inn', tags: ['new'] }],
  ['add_observations', { observations: [{ entity_name: 'Known', contents: ['more'] }] }],
  ['replace_observation', { entity_name: 'Known', ordinal: 1, new_content: 'new' }, 'tells'],
  ['replace_observation', { entity_name: 'Known', ordinal: 99, new_content: 'new' }],
  ['delete_observations', { deletions: [{ entity_name: 'Known', ordinals: [98] }] }],
  ['create_relations', { relations: [{ from_entity: 'Known', to_entity: 'Inn', relation_type: 'visits' }] }],
  ['delete_relations', { relations: [{ from_entity: 'Known', to_entity: 'Inn', relation_type: 'none' }] }],
  ['update_relation_type', { from_entity: 'Known', to_entity: 'Inn', old_type: 'none', new_type: 'some' }],
  ['delete_entities', { entity_names: ['Know'] }],
]);

const clash = 'query q() { insert Person { email: "bo@x", badge: "8" } }';
const graph = [
  ...rows('graph', 'typed', change, [
    ['mutate', { source: clash }, 'tells'],
    ['mutate', { source: 'query q() { update Person set { badge: "same" } where salary > 0 }' }, 'tells'],
    ['ingest', { ndjson: '{"type":"Person","data":{"email":"bo@x","badge":"8"}}' }, 'tells'],
    ['ingest', { ndjson: '{"type":"Person","data":{"email":"ann@x"}}', mode: 'append' }],
    ['edit', { operations: [{ op: 'update_node', name: 'ann@x', set: { props: { salary: 1 } } }] }],
    ['edit', { operations: [{ op: 'delete_node', name: 'core' }] }, 'tells'],
    [
      'edit',
      { operations: [{ op: 'add_node', name: 'bo@x', type: 'Person', props: { badge: '8' } }] },
      'tells',
    ],
  ]),
  ...rows('graph', 'typed', { rights: ['change', 'invoke_query'] }, [
    ['hire', { email: 'bo@x', badge: '8' }, 'tells'],
    ['queries_run', { name: 'hire', params: { email: 'bo@x', badge: '8' } }, 'tells'],
  ]),
  ...rows('graph', 'typed', { rights: ['schema_apply'] }, [
    [
      'schema_apply',
      {
        schema:
          'node Person { email: String @key  salary: I32?  badge: String? @unique  floor: I32?  @check(email, "^[ab]") }\nnode Team { name: String @key }\nnode Confidential { name: String @key }\nedge Leads: Person -> Team @card(0..1)',
      },
      'tells',
    ],
    [
      'schema_apply',
      {
        schema:
          'node Person { email: String @key  salary: I32?  badge: String?  floor: I32? @unique }\nnode Team { name: String @key }\nnode Confidential { name: String @key }\nedge Leads: Person -> Team',
        dry_run: true,
      },
      'tells',
    ],
    ['schema_apply', { schema: 'node Other { a: String @key }', dry_run: true }],
  ]),
  ...rows('graph', 'typed', { rights: ['branch_create'], readable: ['draft'] }, [
    ['branches_create', { name: 'other', from: 'draft' }],
  ]),
  ...rows('graph', 'typed', { rights: ['branch_delete'] }, [['branches_delete', { name: 'other' }, 'tells']]),
  ...rows('graph', 'typed', { rights: ['branch_delete'], readable: ['main', 'other'] }, [
    ['branches_delete', { name: 'other' }],
  ]),
  ...rows('graph', 'typed', { rights: ['branch_merge'], readable: ['draft'] }, [
    ['branches_merge', { source: 'draft', target: 'main', dry_run: true }, 'tells'],
    ['branches_merge', { source: 'draft', target: 'main' }, 'tells'],
    [
      'branches_merge',
      { source: 'draft', target: 'main', resolutions: [{ id: 'node/Person/none', take: 'source' }] },
    ],
  ]),
];

const gate = rows('gate', 'gated', { rights: ['gate_write'] }, [
  [
    'write_node',
    { label: 'Person', merge_keys: { name: 'Margaret Confidentia' }, properties: {}, ...origin },
    'tells',
  ],
  [
    'write_node',
    { label: 'Person', merge_keys: { name: 'Known' }, properties: { email: 'a@x' }, ...origin },
    'tells',
  ],
  [
    'write_relationship',
    {
      ...{ type: 'KNOWS', from_label: 'Person', from_keys: { name: 'Known' } },
      ...{ to_label: 'Person', to_keys: { name: 'None' }, ...origin },
    },
  ],
  ['refresh_schema_cache', {}],
]);

export const calls: readonly ConcealedCall[] = [
  ...memory,
  ...mesh,
  ...namesakes,
  ...workspace,
  ...graph,
  ...gate,
];
