import type { EdgeSpec } from '../../../engine/specs.js';
import { NodesByName } from '../../../engine/write/nodes-by-name.js';
import { TrellisError } from '../../../model/error.js';
import { listNames } from '../../../model/quoting.js';
import { relationshipEdgeType, targetNames } from '../../../schema/mesh/mesh-node-draft.js';
import type { MeshSchema } from '../../../schema/mesh/mesh-schema.js';
import type { MeshArguments } from '../../../schema/mesh/parse-mesh-arguments.js';
import type { Reader } from '../../../store/reader.js';
import type { TypesWithTools } from './find-node-of-type.js';

interface Target {
  readonly property: string;
  readonly name: string;
  /** The type that it should have; not enforced. */
  readonly nodeType: string | undefined;
}

interface CheckedTargets {
  readonly warnings: string[];
  /** Adds the types of both ends, whose names other nodes may share. */
  typed(edge: EdgeSpec): EdgeSpec;
}

/** Refuses targets that do not exist, except the node itself; warns of those of another type than the schema says. */
export async function checkTargets(
  reader: Reader,
  schema: MeshSchema,
  args: MeshArguments,
  tools: TypesWithTools,
): Promise<CheckedTargets> {
  const targets = relationshipTargets(schema, args).filter(({ name }) => name !== args.name);
  if (targets.length === 0) return { warnings: [], typed: (edge) => ({ ...edge, fromType: schema.type }) };
  const nodes = await NodesByName.load(
    reader,
    targets.map(({ name }) => ({ name })),
  );
  // A node of the type that the schema says, if there is one, else any.
  const resolve = ({ name, nodeType: type }: Target) =>
    nodes.real({ name, type: nodes.exists({ name, type }) ? type : undefined });
  const missing = targets.filter((target) => resolve(target) === undefined);
  if (missing[0] !== undefined) throw targetsMissing([missing[0], ...missing.slice(1)], args.name, tools);
  const warnings = targets.flatMap((target) => {
    const { property, name, nodeType } = target;
    const found = resolve(target)?.type;
    return nodeType === undefined || found === nodeType
      ? []
      : [`${property}: ${JSON.stringify(name)} is of type ${found}, not ${nodeType}.`];
  });
  const types = new Map(
    targets.map((target) => [
      JSON.stringify([relationshipEdgeType(schema, target.property), target.name]),
      resolve(target)?.type,
    ]),
  );
  return {
    warnings,
    typed: (edge) => ({
      ...edge,
      fromType: schema.type,
      toType: types.get(JSON.stringify([edge.type, edge.to])),
    }),
  };
}

function relationshipTargets({ properties }: MeshSchema, { values }: MeshArguments): Target[] {
  return properties.flatMap(({ name: property, relationship }) => {
    const value = values.get(property);
    if (relationship === undefined || value === undefined) return [];
    return targetNames(value).map((name) => ({ property, name, nodeType: relationship.nodeType }));
  });
}

function targetsMissing(
  missing: readonly [Target, ...Target[]],
  name: string,
  tools: TypesWithTools,
): TrellisError {
  const [{ name: first, property, nodeType }] = missing;
  const names = [...new Set(missing.map((target) => target.name))];
  const adding = nodeType !== undefined && tools.has(nodeType) ? `add_${nodeType}` : 'add_nodes';
  return new TrellisError('NOT_FOUND', `Node not found: ${listNames(names)}`, {
    hint: `Nothing was done: ${property} of ${JSON.stringify(name)} must name a node that exists. Create ${JSON.stringify(first)} first with ${adding}, then call again.`,
    details: { name: first, property },
  });
}
