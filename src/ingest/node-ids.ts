import type { NodeId } from '../model/node.js';

/** Nodes by type and name: what edges find their ends with. */
export class NodeIds {
  readonly #types = new Map<string, Map<string, NodeId>>();

  add(type: string, name: string, id: NodeId): void {
    const named = this.#types.get(type);
    if (named === undefined) this.#types.set(type, new Map([[name, id]]));
    else named.set(name, id);
  }

  get(type: string, name: string): NodeId | undefined {
    return this.#types.get(type)?.get(name);
  }

  all(): Set<NodeId> {
    return new Set([...this.#types.values()].flatMap((named) => [...named.values()]));
  }
}
