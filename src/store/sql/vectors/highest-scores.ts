export class HighestScores {
  readonly #count: number;
  readonly #places: number[] = [];
  readonly #scores: number[] = [];

  constructor(count: number) {
    this.#count = count;
  }

  /** What a score must exceed to be among them. */
  get least(): number {
    if (this.#places.length < this.#count) return Number.NEGATIVE_INFINITY;
    return this.#scores[0] ?? Number.POSITIVE_INFINITY;
  }

  add(place: number, score: number): void {
    if (this.#places.length < this.#count) {
      this.#places.push(place);
      this.#scores.push(score);
      this.#rise(this.#places.length - 1);
    } else if (score > this.least) {
      this.#places[0] = place;
      this.#scores[0] = score;
      this.#sink();
    }
  }

  inOrder(): number[] {
    const order = this.#places.map((place, at) => ({ place, score: this.#scores[at] ?? 0 }));
    return order.sort((a, b) => b.score - a.score || a.place - b.place).map(({ place }) => place);
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isLower(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      let lowest = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#places.length && this.#isLower(child, lowest)) lowest = child;
      }
      if (lowest === at) return;
      this.#swap(at, lowest);
      at = lowest;
    }
  }

  #isLower(a: number, b: number): boolean {
    return (this.#scores[a] ?? 0) < (this.#scores[b] ?? 0);
  }

  #swap(a: number, b: number): void {
    [this.#places[a], this.#places[b]] = [this.#places[b] ?? 0, this.#places[a] ?? 0];
    [this.#scores[a], this.#scores[b]] = [this.#scores[b] ?? 0, this.#scores[a] ?? 0];
  }
}
