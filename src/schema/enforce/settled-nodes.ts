import type { NodeId } from '../../model/node.js';

export interface SettledNode {
  readonly type: string;
}

const blockSize = 1_024;

/** The types of very many nodes. Ids that are neighbours, as those of new nodes are, take four bytes each. */
export class SettledNodes {
  /** The first one means that there is no node. */
  readonly #types: (SettledNode | undefined)[] = [undefined];
  readonly #typeNumbers = new Map<string, number>();
  /** The numbers of the types, by id. */
  readonly #blocks = new Map<number, Uint32Array>();

  get(id: NodeId): SettledNode | undefined {
    const block = this.#blocks.get(Math.floor(id / blockSize));
    return block === undefined ? undefined : this.#types[block[id % blockSize] ?? 0];
  }

  add(id: NodeId, type: string): void {
    const start = Math.floor(id / blockSize);
    const block = this.#blocks.get(start) ?? new Uint32Array(blockSize);
    this.#blocks.set(start, block);
    block[id % blockSize] = this.#typeNumber(type);
  }

  delete(id: NodeId): void {
    const block = this.#blocks.get(Math.floor(id / blockSize));
    if (block !== undefined) block[id % blockSize] = 0;
  }

  #typeNumber(type: string): number {
    const known = this.#typeNumbers.get(type);
    if (known !== undefined) return known;
    const number = this.#types.push({ type }) - 1;
    this.#typeNumbers.set(type, number);
    return number;
  }
}
