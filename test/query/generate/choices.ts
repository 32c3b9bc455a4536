import fc from 'fast-check';

/** Decisions of a generator, each drawn by fast-check, so that a seed replays them. */
export class Choices {
  readonly #draw: fc.GeneratorValue;

  constructor(draw: fc.GeneratorValue) {
    this.#draw = draw;
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    return this.#draw(fc.integer, { min, max });
  }

  /** True so many times out of a hundred. */
  chance(percent: number): boolean {
    return this.int(1, 100) <= percent;
  }

  /** One of several. */
  one<Item>(items: readonly Item[]): Item {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new Error('Nothing to choose from.');
    return item;
  }

  /** One that is made by one of several makers. */
  made<Item>(makers: readonly (() => Item)[]): Item {
    return this.one(makers)();
  }

  /** Some of them, in their order. */
  some<Item>(items: readonly Item[], percent: number): Item[] {
    return items.filter(() => this.chance(percent));
  }

  /** So many, made one after the other. */
  times<Item>(min: number, max: number, make: (index: number) => Item): Item[] {
    return Array.from({ length: this.int(min, max) }, (_, index) => make(index));
  }
}
