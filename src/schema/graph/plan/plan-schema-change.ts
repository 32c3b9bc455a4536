import type { EdgeType, GraphSchema, InterfaceType, NodeType } from '../graph-schema.js';
import { type Matching, matchNames, type Pair } from './match-names.js';
import { planType } from './plan-type.js';
import { sameProperties } from './same-metadata.js';
import type { RowCounts, SchemaPlan, SchemaStep } from './schema-step.js';
import { StepCollector } from './step-collector.js';

/** How a graph gets from one schema to another, or why it cannot; null is a graph that has none yet. */
export function planSchemaChange(
  before: GraphSchema | null,
  after: GraphSchema,
  facts: RowCounts,
): SchemaPlan {
  const nodes = matchNames<NodeType>(typeList(before?.nodes), typeList(after.nodes));
  const edges = matchNames<EdgeType>(typeList(before?.edges), typeList(after.edges), (name) =>
    name.toLowerCase(),
  );
  const nowCalled = new Map(nodes.renamed.map(([old, { name }]) => [old.name, name]));
  const newName = (name: string) => nowCalled.get(name) ?? name;
  const changed = [
    ...pairsOf(nodes).flatMap((pair) => planType('node', pair, facts, newName)),
    ...pairsOf(edges).flatMap((pair) => planType('edge', pair, facts, newName)),
  ];
  const steps: SchemaStep[] = [
    ...planInterfaces(typeList(before?.interfaces), typeList(after.interfaces)),
    ...renames('node', nodes),
    ...renames('edge', edges),
    ...blockedRenames('node', nodes, facts),
    ...blockedRenames('edge', edges, facts),
    ...additions('node', nodes, facts),
    ...additions('edge', edges, facts),
    ...unmetMinimums(edges.added, nodes, facts),
    ...changed,
    ...drops('edge', edges, facts),
    ...drops('node', nodes, facts),
  ];
  return {
    steps,
    supported: steps.every(({ supported }) => supported),
    data_loss: steps.some(({ data_loss }) => data_loss),
  };
}

type Matched = Matching<NodeType> | Matching<EdgeType>;

function typeList<Type>(types: ReadonlyMap<string, Type> | undefined): readonly Type[] {
  return [...(types?.values() ?? [])];
}

function pairsOf<Type>({ kept, renamed }: Matching<Type>): readonly Pair<Type>[] {
  return [...renamed, ...kept];
}

function renames(kind: 'node' | 'edge', { renamed, kept }: Matched): SchemaStep[] {
  // Edges are found whatever their case, so another spelling of one is the same edge under another name.
  const respelt = kept.filter(([old, type]) => old.name !== type.name);
  return [...renamed, ...respelt].map(([{ name: from }, { name }]) => ({
    step: 'rename_type',
    kind,
    type: name,
    from,
    message: `The ${kind} ${from} becomes ${name}.`,
    supported: true,
    data_loss: false,
  }));
}

/** Two types cannot take each other's names: whether that was done before could not be told from the schemas. */
function blockedRenames(
  kind: 'node' | 'edge',
  { blocked }: Matched,
  facts: RowCounts,
): readonly SchemaStep[] {
  return blocked.flatMap(({ name, renamedFrom }) => {
    const from = renamedFrom ?? name;
    const steps = new StepCollector(kind, name, facts.rowsOf(kind, name) + facts.rowsOf(kind, from));
    steps.blockedRename(null, `The ${kind} ${from}`, name);
    return steps.all;
  });
}

function additions(kind: 'node' | 'edge', { added }: Matched, facts: RowCounts): SchemaStep[] {
  return added.map(({ name }) => {
    const rows = facts.rowsOf(kind, name);
    const held = rows === 0 ? '' : ` The ${rows} that are there have to fit it.`;
    return {
      step: 'add_type',
      kind,
      type: name,
      message: `The ${kind} ${name} is added.${held}`,
      supported: true,
      data_loss: false,
    };
  });
}

/** An edge that every node has to have cannot be added while there are nodes, and none of its edges. */
function unmetMinimums(
  added: readonly EdgeType[],
  nodes: Matching<NodeType>,
  facts: RowCounts,
): readonly SchemaStep[] {
  return added.flatMap(({ name, from, cardinality: { min } }) => {
    const [old] = pairsOf(nodes).find(([, type]) => type.name === from) ?? [];
    const rows = old === undefined ? facts.rowsOf('node', from) : facts.rowsOf('node', old.name);
    if (min === 0 || rows === 0 || facts.rowsOf('edge', name) > 0) return [];
    const steps = new StepCollector('edge', name, rows);
    steps.unsupported(
      null,
      `Every ${from} is to have at least ${min} ${name}.`,
      `there are ${rows} that have none; add the edge with @card(0..) first, write its edges, then raise it`,
    );
    return steps.all;
  });
}

function drops(kind: 'node' | 'edge', { dropped }: Matched, facts: RowCounts): SchemaStep[] {
  return dropped.map(({ name }) => {
    const rows = facts.rowsOf(kind, name);
    const gone = rows === 0 ? '' : ` with the ${rows} that are there`;
    return {
      step: 'drop_type',
      kind,
      type: name,
      message: `The ${kind} ${name} is dropped${gone}.`,
      supported: true,
      data_loss: rows > 0,
    };
  });
}

/** Interfaces have no rows: what they change, they change in the nodes that implement them. */
function planInterfaces(before: readonly InterfaceType[], after: readonly InterfaceType[]): SchemaStep[] {
  const old = new Map(before.map((type) => [type.name, type]));
  const names = new Set(after.map(({ name }) => name));
  const step = (name: string, type: 'add_type' | 'drop_type', done: string): SchemaStep => ({
    step: type,
    kind: 'interface',
    type: name,
    message: `The interface ${name} is ${done}.`,
    supported: true,
    data_loss: false,
  });
  return [
    ...after.filter(({ name }) => !old.has(name)).map(({ name }) => step(name, 'add_type', 'added')),
    ...after.flatMap((type): SchemaStep[] => {
      const same = old.get(type.name);
      if (same === undefined || sameProperties(same.properties, type.properties)) return [];
      return [
        {
          step: 'update_metadata',
          kind: 'interface',
          type: type.name,
          property: null,
          message: `The interface ${type.name} changes.`,
          supported: true,
          data_loss: false,
        },
      ];
    }),
    ...before.filter(({ name }) => !names.has(name)).map(({ name }) => step(name, 'drop_type', 'dropped')),
  ];
}
