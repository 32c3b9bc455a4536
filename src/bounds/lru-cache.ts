export class LruCache<V extends {}> {
  readonly #max: number;
  readonly #kept = new Map<string, V>();

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(key: string): V | undefined {
    const known = this.#kept.get(key);
    if (known !== undefined) this.#putLast(key, known);
    return known;
  }

  set(key: string, value: V): void {
    this.#putLast(key, value);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > this.#max && !oldest.done) this.#kept.delete(oldest.value);
  }

  getOrCreate(key: string, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  #putLast(key: string, value: V): void {
    this.#kept.delete(key);
    this.#kept.set(key, value);
  }
}
