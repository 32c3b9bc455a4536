import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';

/** Nodes by name, real ones and stubs, for writes that mean one node by its name alone. */
export class NodesByName {
  readonly #real = new Map<string, Node[]>();
  readonly #stubs = new Map<string, Node>();

  static async of(reader: Reader, names: Iterable<string>): Promise<NodesByName> {
    return NodesByName.from(await reader.nodesNamed([...new Set(names)]));
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

  exists(name: string): boolean {
    return this.#real.has(name);
  }

  get hasStubs(): boolean {
    return this.#stubs.size > 0;
  }

  stub(name: string): Node | undefined {
    return this.#stubs.get(name);
  }

  /** The one real node of that name, or undefined; several are an error, since a write must mean one. */
  real(name: string): Node | undefined {
    const nodes = this.#real.get(name) ?? [];
    if (nodes.length > 1) {
      throw new TrellisError('AMBIGUOUS_NAME', `Several nodes are named ${name}.`, {
        hint: 'Use a surface that names nodes by type and key, or rename one of them.',
        details: { name, types: nodes.map((node) => node.type) },
      });
    }
    return nodes[0];
  }

  /** The one real node of that name; none is an error. */
  required(name: string): Node {
    return this.real(name) ?? nodeNotFound(name);
  }

  /** The one real node of that name, else the stub an edge made. */
  realOrStub(name: string): Node | undefined {
    return this.real(name) ?? this.#stubs.get(name);
  }
}

/** Refuses a name that no node has. */
export function nodeNotFound(name: string): never {
  throw new TrellisError('NOT_FOUND', `Node not found: ${name}`, {
    hint: 'Nothing was done. Create the node first, or look for its exact name: names are case-sensitive.',
    details: { name },
  });
}
