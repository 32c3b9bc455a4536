import type { Transaction } from '../../engine/graph.js';
import { createKeyedNode } from '../../engine/write/create-keyed-node.js';
import { removeUnreferencedStubs } from '../../engine/write/remove-unreferenced-stubs.js';
import { TrellisError } from '../../model/error.js';
import type { Json, Props } from '../../model/json.js';
import type { Node } from '../../model/node.js';
import { isRegistryNode, registryMark, registryType } from '../../model/registry-node.js';
import { checkName } from '../../model/text.js';
import { stripColon } from '../gate-names.js';
import { registryNodesToDocument } from './graph-source.js';
import { parseRegistryDocument } from './parse-registry-document.js';

export interface RegistryAddition {
  readonly name: string;
  readonly kind: 'node' | 'relationship';
  readonly required: readonly string[];
  readonly absorbs: readonly string[];
  readonly types: Readonly<Record<string, string>>;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Registers a label or type, or extends its entry; throws if the registry as a whole would be invalid. */
export async function addToGateRegistry(
  tx: Transaction,
  graph: string,
  addition: RegistryAddition,
): Promise<'added' | 'changed'> {
  const name = checkName(stripColon(addition.name), 'A label');
  if (name.startsWith(':'))
    throw new TrellisError('INVALID_ARGUMENT', `${addition.name} begins with two colons.`, {
      hint: 'One leading colon is ignored; remove the others.',
    });
  await rejectTypedGraph(tx, graph);
  const before = await findRegistryNode(tx, name);
  if (before !== undefined && !isRegistryNode(before)) {
    throw new TrellisError(
      'NODE_EXISTS',
      `A node of type ${registryType} named ${name} already exists and is not a registry entry.`,
      { hint: 'Nothing was changed. Give that node another type, or delete it.' },
    );
  }
  const isInForce = before?.props[registryMark] === true;
  if (before !== undefined && isInForce && kindOf(before) !== addition.kind) {
    throw new TrellisError('INVALID_ARGUMENT', `${name} is already registered as a ${kindOf(before)}.`, {
      hint: `Choose another name, or remove that one first: trellis gate schema remove ${name}`,
    });
  }
  const props = mergeAddition(isInForce ? before.props : {}, addition);
  if (before === undefined)
    await createKeyedNode(tx, { type: registryType, names: [name], props, stub: 'ignored' });
  else await tx.rows.putNodes([{ ...before, props }]);
  parseRegistryDocument(registryNodesToDocument(await registryNodes(tx)), `the graph ${graph}`);
  return isInForce ? 'changed' : 'added';
}

/** What was written under the name stays. Returns the relationship types that still name it. */
export async function removeFromGateRegistry(
  tx: Transaction,
  graph: string,
  given: string,
): Promise<string[]> {
  const name = stripColon(given);
  await rejectTypedGraph(tx, graph);
  const node = await findRegistryNode(tx, name);
  if (node === undefined || !isRegistryNode(node)) {
    throw new TrellisError('NOT_FOUND', `${name} is not registered.`, {
      hint: 'List the registered names with: trellis gate schema list',
    });
  }
  tx.announce('deleteNodes', { names: [name] });
  await removeUnreferencedStubs(tx.rows, await tx.rows.removeNodes([node.id]));
  if (kindOf(node) === 'relationship') return [];
  const isNamed = ({ props }: Node) =>
    [props['from'], props['to']].flat().some((end) => typeof end === 'string' && stripColon(end) === name);
  return (await registryNodes(tx)).filter(isNamed).map((relationship) => relationship.name);
}

function registryNodes(tx: Transaction): Promise<readonly Node[]> {
  return tx.rows.nodesMatching(registryType, { [registryMark]: true });
}

/** In a typed graph the gate uses the graph schema. */
async function rejectTypedGraph(tx: Transaction, graph: string): Promise<void> {
  if ((await tx.rows.schema()) === null) return;
  throw new TrellisError('INVALID_ARGUMENT', `The graph ${graph} is typed; the gate uses its graph schema.`, {
    hint: 'Nothing was changed. Change that schema with: trellis schema apply FILE',
  });
}

async function findRegistryNode(tx: Transaction, name: string): Promise<Node | undefined> {
  return (await tx.rows.nodesNamed([name])).find(({ type, stub }) => type === registryType && !stub);
}

function kindOf({ props }: Node): RegistryAddition['kind'] {
  return props['kind'] === 'relationship' ? 'relationship' : 'node';
}

function mergeAddition(before: Props, { kind, required, absorbs, types, from, to }: RegistryAddition): Props {
  const lists = { required_properties: required, absorbs, from, to };
  const united = Object.entries(lists).map(([key, more]): [string, readonly Json[]] => {
    const known = before[key];
    return [key, [...new Set([...(Array.isArray(known) ? known : []), ...more])]];
  });
  const known = before['property_types'];
  const property_types = { ...(typeof known === 'object' ? known : {}), ...types };
  return {
    [registryMark]: true,
    kind,
    ...Object.fromEntries(united.filter(([, values]) => values.length > 0)),
    ...(Object.keys(property_types).length > 0 ? { property_types } : {}),
  };
}
