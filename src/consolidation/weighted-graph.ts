import type { NodeId } from '../model/node.js';

/** Edges as lists that can be sent to a worker; nodes are numbered from 0. */
export interface WeightedEdgeList {
  readonly nodes: number;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly weights: readonly number[];
}

interface WeightedGraphNode {
  readonly id: NodeId;
  readonly name: string;
}

export class WeightedGraph implements WeightedEdgeList {
  readonly names: string[] = [];
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly weights: number[] = [];
  readonly #numbers = new Map<NodeId, number>();
  readonly #places = new Map<string, number>();

  get nodes(): number {
    return this.names.length;
  }

  /** Of several edges between two nodes the strongest counts. */
  add(a: WeightedGraphNode, b: WeightedGraphNode, weight: number): void {
    if (a.id === b.id || weight <= 0) return;
    const [from, to] = [this.#number(a), this.#number(b)];
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    const place = this.#places.get(key);
    if (place !== undefined) {
      this.weights[place] = (this.weights[place] ?? 0) + weight;
      return;
    }
    this.#places.set(key, this.weights.length);
    this.from.push(from);
    this.to.push(to);
    this.weights.push(weight);
  }

  #number({ id, name }: WeightedGraphNode): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.names.length);
    this.names.push(name);
    return this.names.length - 1;
  }
}
