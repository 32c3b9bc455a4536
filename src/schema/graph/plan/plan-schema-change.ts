import { isDeepStrictEqual } from 'node:util';
import type { EdgeType, GraphSchema, InterfaceType, NodeType } from '../graph-schema.js';
import { type Matching, matchNames, type Pair } from './match-names.js';
import { planType } from './plan-type.js';
import type { RowCounts, SchemaPlan, SchemaStep, TypeKind } from './schema-step.js';
import { StepCollector } from './step-collector.js';

/** The steps from one schema to another, supported or not; null is a graph without a schema. */
export function planSchemaChange(
  before: GraphSchema | null,
  after: GraphSchema,
  counts: RowCounts,
): SchemaPlan {
  const nodes = matchNames<NodeType>(typeList(before?.nodes), typeList(after.nodes));
  const edges = matchNames<EdgeType>(typeList(before?.edges), typeList(after.edges), (name) =>
    name.toLowerCase(),
  );
  const nowCalled = new Map(nodes.renamed.map(([old, { name }]) => [old.name, name]));
  const newName = (name: string) => nowCalled.get(name) ?? name;
  const changed = [
    ...pairsOf(nodes).flatMap((pair) => planType('node', pair, counts, newName)),
    ...pairsOf(edges).flatMap((pair) => planType('edge', pair, counts, newName)),
  ];
  const steps: SchemaStep[] = [
    ...planInterfaces(typeList(before?.interfaces), typeList(after.interfaces)),
    ...renames('node', nodes),
    ...renames('edge', edges),
    ...blockedRenames('node', nodes, counts),
    ...blockedRenames('edge', edges, counts),
    ...additions('node', nodes, counts),
    ...additions('edge', edges, counts),
    ...unmetMinimums(edges.added, nodes, counts),
    ...changed,
    ...drops('edge', edges, counts),
    ...drops('node', nodes, counts),
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
  // Edge names are case-insensitive, so another spelling is the same edge with another name.
  const respelt = kept.filter(([old, type]) => old.name !== type.name);
  return [...renamed, ...respelt].map(([{ name: from }, { name }]) => ({
    ...{ step: 'rename_type', from },
    ...typeStep(kind, name, `The ${kind} ${from} becomes ${name}.`),
  }));
}

function typeStep(kind: TypeKind, type: string, message: string) {
  return { kind, type, message, supported: true, data_loss: false };
}

/** Two types cannot swap names: the schemas would not show whether that was done already. */
function blockedRenames(
  kind: 'node' | 'edge',
  { blocked }: Matched,
  counts: RowCounts,
): readonly SchemaStep[] {
  return blocked.flatMap(({ name, renamedFrom }) => {
    const from = renamedFrom ?? name;
    const steps = new StepCollector(kind, name, counts.countRows(kind, name) + counts.countRows(kind, from));
    steps.blockedRename(null, `The ${kind} ${from}`, name);
    return steps.all;
  });
}

function additions(kind: 'node' | 'edge', { added }: Matched, counts: RowCounts): SchemaStep[] {
  return added.map(({ name }) => {
    const rows = counts.countRows(kind, name);
    const existing = rows === 1 ? 'The existing row' : `The ${rows} existing rows`;
    const held = rows === 0 ? '' : ` ${existing} must match it.`;
    return { step: 'add_type', ...typeStep(kind, name, `The ${kind} ${name} is added.${held}`) };
  });
}

/** An edge with a minimum cannot be added while there are nodes without it. */
function unmetMinimums(
  added: readonly EdgeType[],
  nodes: Matching<NodeType>,
  counts: RowCounts,
): readonly SchemaStep[] {
  return added.flatMap(({ name, from, cardinality: { min } }) => {
    const [old] = pairsOf(nodes).find(([, type]) => type.name === from) ?? [];
    const rows = old === undefined ? counts.countRows('node', from) : counts.countRows('node', old.name);
    if (min === 0 || rows === 0 || counts.countRows('edge', name) > 0) return [];
    const steps = new StepCollector('edge', name, rows);
    steps.unsupported(
      null,
      `Every ${from} must have at least ${min} ${name}.`,
      `${rows === 1 ? '1 node has' : `${rows} nodes have`} none; add the edge with @card(0..), write its edges, then raise the minimum`,
    );
    return steps.all;
  });
}

function drops(kind: 'node' | 'edge', { dropped }: Matched, counts: RowCounts): SchemaStep[] {
  return dropped.map(({ name }) => {
    const rows = counts.countRows(kind, name);
    const gone = rows === 0 ? '' : ` with its ${rows === 1 ? 'row' : `${rows} rows`}`;
    return {
      step: 'drop_type',
      ...typeStep(kind, name, `The ${kind} ${name} is dropped${gone}.`),
      data_loss: rows > 0,
    };
  });
}

/** Interfaces have no rows of their own: their changes show up in the nodes that implement them. */
function planInterfaces(before: readonly InterfaceType[], after: readonly InterfaceType[]): SchemaStep[] {
  const old = new Map(before.map((type) => [type.name, type]));
  const names = new Set(after.map(({ name }) => name));
  const step = (name: string, verb: string) => typeStep('interface', name, `The interface ${name} ${verb}.`);
  return [
    ...after
      .filter(({ name }) => !old.has(name))
      .map(({ name }): SchemaStep => ({ step: 'add_type', ...step(name, 'is added') })),
    ...after.flatMap(({ name, properties }): SchemaStep[] => {
      const same = old.get(name);
      if (same === undefined || isDeepStrictEqual([...same.properties.values()], [...properties.values()]))
        return [];
      return [{ step: 'update_metadata', property: null, ...step(name, 'changes') }];
    }),
    ...before
      .filter(({ name }) => !names.has(name))
      .map(({ name }): SchemaStep => ({ step: 'drop_type', ...step(name, 'is dropped') })),
  ];
}
