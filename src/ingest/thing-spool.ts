import { HashSet } from './hash-set.js';
import { TextSpool } from './text-spool.js';

interface SpooledThing {
  readonly line: number;
  readonly type: string;
}

interface ThingRules<T> {
  keyOf(thing: T): string;
  /** Merges what a later line says about a thing; throws if it must not be said twice. */
  merge(earlier: T, later: T): T;
}

/** Nodes or edges by their keys, each once, in the order of their first lines; most are on disk. */
export class ThingSpool<T extends SpooledThing> implements Iterable<T> {
  readonly #rules: ThingRules<T>;
  readonly #things = new TextSpool();
  readonly #keys = new HashSet();
  /** What came up again, by key; nearly always empty. */
  readonly #later = new Map<string, T[]>();
  readonly #countByType = new Map<string, number>();

  constructor(rules: ThingRules<T>) {
    this.#rules = rules;
  }

  put(thing: T): void {
    const key = this.#rules.keyOf(thing);
    if (!this.#keys.add(key)) {
      this.#things.push(JSON.stringify(thing));
      this.#countByType.set(thing.type, (this.#countByType.get(thing.type) ?? 0) + 1);
      return;
    }
    const others = this.#later.get(key);
    if (others === undefined) this.#later.set(key, [thing]);
    else others.push(thing);
  }

  /** Merges all lines, so that those that must not be merged are refused before anything is written. */
  check(): void {
    if (this.#later.size > 0) for (const _ of this);
  }

  get countByType(): ReadonlyMap<string, number> {
    return this.#countByType;
  }

  get size(): number {
    return [...this.#countByType.values()].reduce((sum, count) => sum + count, 0);
  }

  *[Symbol.iterator](): Generator<T> {
    const later = new Map(this.#later);
    for (const text of this.#things) {
      const thing = JSON.parse(text) as T;
      const key = later.size === 0 ? '' : this.#rules.keyOf(thing);
      yield this.#merged(thing, later.get(key) ?? []);
      later.delete(key);
    }
    // Their keys only had the hash of another.
    for (const [first, ...others] of later.values()) {
      if (first !== undefined) yield this.#merged(first, others);
    }
  }

  #merged(first: T, others: readonly T[]): T {
    return others.reduce((earlier, thing) => this.#rules.merge(earlier, thing), first);
  }

  find(key: string): T | undefined {
    if (!this.#keys.has(key)) return undefined;
    for (const thing of this) if (this.#rules.keyOf(thing) === key) return thing;
    return undefined;
  }

  dispose(): void {
    this.#things.dispose();
  }
}
