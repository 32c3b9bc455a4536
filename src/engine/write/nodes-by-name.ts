import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import { listNames } from '../../model/quoting.js';
import type { RowReader } from '../../store/reader.js';
import { type EdgeSpec, isOfType, type NodeName } from '../specs.js';

type NameReader = Pick<RowReader, 'nodesNamed'>;

/** Nodes by name, real ones and stubs, for writes that identify one node by its name. */
export class NodesByName {
  readonly #real = new Map<string, Node[]>();
  readonly #stubs = new Map<string, Node>();

  static load(reader: NameReader, named: readonly NodeName[]): Promise<NodesByName> {
    return NodesByName.#loadNames(reader, new Set(named.map(({ name }) => name)));
  }

  static loadEnds(reader: NameReader, edges: readonly Pick<EdgeSpec, 'from' | 'to'>[]): Promise<NodesByName> {
    return NodesByName.#loadNames(reader, new Set(edges.flatMap(({ from, to }) => [from, to])));
  }

  static async #loadNames(reader: NameReader, names: ReadonlySet<string>): Promise<NodesByName> {
    return NodesByName.from(await reader.nodesNamed([...names]));
  }

  static from(nodes: readonly Node[]): NodesByName {
    const found = new NodesByName();
    for (const node of nodes) found.add(node);
    return found;
  }

  add(node: Node): void {
    if (node.stub) this.#stubs.set(node.name, node);
    else this.#real.set(node.name, [...(this.#real.get(node.name) ?? []), node]);
  }

  exists({ name, type }: NodeName): boolean {
    return this.#named(name, type).length > 0;
  }

  get hasStubs(): boolean {
    return this.#stubs.size > 0;
  }

  stub(name: string): Node | undefined {
    return this.#stubs.get(name);
  }

  /** Throws if there are several. */
  real({ name, type }: NodeName): Node | undefined {
    const nodes = this.#named(name, type);
    if (nodes.length > 1)
      throw ambiguousName(
        name,
        nodes.map((node) => node.type),
      );
    return nodes[0];
  }

  require(name: NodeName): Node {
    return this.real(name) ?? nodeNotFound(name);
  }

  /** The real node, else the stub, which has no type. */
  realOrStub(name: NodeName): Node | undefined {
    return this.real(name) ?? (name.type === undefined ? this.#stubs.get(name.name) : undefined);
  }

  #named(name: string, type: string | undefined): readonly Node[] {
    return (this.#real.get(name) ?? []).filter((node) => isOfType(node, type));
  }
}

export function ambiguousName(name: string, types: readonly string[], how = typeArguments): TrellisError {
  const message = `Several nodes are named ${name}`;
  const hint = `Nothing was done. Specify the type: ${how}.`;
  return new TrellisError('AMBIGUOUS_NAME', `${message}, of the types ${listNames(types)}.`, {
    hint,
    details: { name, types },
    withoutRead: { message: `${message}.`, hint },
  });
}

/** What the string tools call the type argument. */
const typeArguments =
  'entityType, or fromEntityType and toEntityType for the ends of a relation (entity_type, from_entity_type and to_entity_type in the workspace tools)';

export function nodeNotFound({ name, type }: NodeName): never {
  const of = type === undefined ? '' : ` (of type ${type})`;
  throw new TrellisError('NOT_FOUND', `Node not found: ${name}${of}`, {
    hint: 'Nothing was done. Create the node first, or look for its exact name: names are case-sensitive.',
    details: { name },
  });
}
