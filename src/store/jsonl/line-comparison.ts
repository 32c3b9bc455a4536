import type { FileLine, LineBlock, LineBlocks } from './line-blocks.js';

/** A line that is new, has another text, or has another place. */
export interface ChangedLine {
  readonly text: string;
  readonly append: boolean;
}

/** More than the lines of a block. */
const ranksPerBlock = 1 << 16;

/** The lines of one kind, nodes or edges, before and after: which went, which came, and which changed place. */
export class LineComparison<L extends FileLine> {
  readonly put: ChangedLine[] = [];
  readonly #lines: LineBlocks<L>;
  readonly #places: ReadonlyMap<LineBlock<FileLine>, { readonly block: LineBlock<L>; readonly rank: number }>;
  /** The lines of blocks that are not kept, with the rank at which each stood. */
  readonly #before = new Map<string, { readonly line: L; readonly rank: number }>();
  readonly #after = new Map<string, string>();
  readonly #layout: (LineBlock<L> | string[])[] = [];
  #passedRank = -1;
  #appending = false;

  constructor(lines: LineBlocks<L>, kept: ReadonlySet<LineBlock<FileLine>>) {
    this.#lines = lines;
    const blocks = lines.blocks;
    this.#places = new Map(blocks.map((block, index) => [block, { block, rank: index * ranksPerBlock }]));
    for (const [index, block] of blocks.entries()) {
      if (kept.has(block)) continue;
      let rank = index * ranksPerBlock;
      for (const [key, line] of block.lines) {
        this.#before.set(key, { line, rank });
        rank += 1;
      }
    }
  }

  *knownTexts(): Generator<readonly [text: string, key: string]> {
    for (const [key, { line }] of this.#before) yield [line.text, key];
  }

  /** Passes a kept block, if it is of this kind. False if lines come before it that did not. */
  skipBlock(block: LineBlock<FileLine>): boolean {
    const place = this.#places.get(block);
    if (place === undefined) return true;
    if (this.#appending || place.rank < this.#passedRank) return false;
    this.#layout.push(place.block);
    this.#passedRank = place.rank + ranksPerBlock - 1;
    return true;
  }

  /** Whether the key stands in an earlier line, in a kept block that comes later, or in neither. */
  findKey(key: string): 'earlier' | 'later' | undefined {
    if (this.#after.has(key)) return 'earlier';
    const block = this.#lines.blockOf(key);
    if (block === undefined || this.#before.has(key)) return undefined;
    return (this.#places.get(block)?.rank ?? 0) < this.#passedRank ? 'earlier' : 'later';
  }

  /** Lines keep their place in the order as long as only known ones follow each other as before; the rest is appended. */
  add(key: string, text: string): void {
    const before = this.#before.get(key);
    if (before === undefined || before.rank < this.#passedRank) this.#appending = true;
    else this.#passedRank = before.rank;
    if (this.#appending || before?.line.text !== text) this.put.push({ text, append: this.#appending });
    this.#after.set(key, text);
    const last = this.#layout.at(-1);
    if (Array.isArray(last)) last.push(key);
    else this.#layout.push([key]);
  }

  textOf(key: string): string | undefined {
    const found = this.#after.get(key);
    if (found !== undefined || this.#before.has(key)) return found;
    return this.#lines.get(key)?.text;
  }

  removed(): { key: string; text: string }[] {
    const gone: { key: string; text: string }[] = [];
    for (const [key, { line }] of this.#before)
      if (!this.#after.has(key)) gone.push({ key, text: line.text });
    return gone;
  }

  /** Makes the lines those found; `lineOf` is given the text and the line of that key before. */
  apply(lineOf: (key: string, text: string, before: L | undefined) => L): void {
    const made = (key: string) =>
      [key, lineOf(key, this.#after.get(key) ?? '', this.#before.get(key)?.line)] as const;
    this.#lines.rearrange(this.#layout.map((part) => (Array.isArray(part) ? part.map(made) : part)));
  }
}
