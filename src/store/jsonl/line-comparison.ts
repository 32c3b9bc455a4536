import type { FileLine, LineBlock, LineBlocks } from './line-blocks.js';

/** A line that is new, changed or moved. */
export interface ChangedLine {
  readonly text: string;
  readonly append: boolean;
}

/** More than a block has lines. */
const ranksPerBlock = 1 << 16;

/** Compares the nodes or the edges of two contents: which were removed, added, changed or moved. */
export class LineComparison<L extends FileLine> {
  readonly put: ChangedLine[] = [];
  readonly #lines: LineBlocks<L>;
  readonly #blocks: ReadonlyMap<LineBlock<FileLine>, { readonly block: LineBlock<L>; readonly rank: number }>;
  /** The lines of blocks that are not kept, with their rank before. */
  readonly #before = new Map<string, { readonly line: L; readonly rank: number }>();
  readonly #after = new Map<string, string>();
  readonly #layout: (LineBlock<L> | string[])[] = [];
  #lastRank = -1;
  #appending = false;

  constructor(lines: LineBlocks<L>, kept: ReadonlySet<LineBlock<FileLine>>) {
    this.#lines = lines;
    const blocks = lines.blocks;
    this.#blocks = new Map(blocks.map((block, index) => [block, { block, rank: index * ranksPerBlock }]));
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

  /** Skips a kept block, if it is of this kind. False if it now follows lines that it preceded. */
  skipBlock(block: LineBlock<FileLine>): boolean {
    const known = this.#blocks.get(block);
    if (known === undefined) return true;
    if (this.#appending || known.rank < this.#lastRank) return false;
    this.#layout.push(known.block);
    this.#lastRank = known.rank + ranksPerBlock - 1;
    return true;
  }

  /** Whether an earlier line has the key, a kept block that comes later, or neither. */
  findKey(key: string): 'earlier' | 'later' | undefined {
    if (this.#after.has(key)) return 'earlier';
    const block = this.#lines.blockOf(key);
    if (block === undefined || this.#before.has(key)) return undefined;
    return (this.#blocks.get(block)?.rank ?? 0) < this.#lastRank ? 'earlier' : 'later';
  }

  /** Lines keep their order while known ones follow each other as before; the rest is appended. */
  add(key: string, text: string): void {
    const before = this.#before.get(key);
    if (before === undefined || before.rank < this.#lastRank) this.#appending = true;
    else this.#lastRank = before.rank;
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

  /** Adopts the lines found. */
  apply(lineOf: (key: string, text: string, before: L | undefined) => L): void {
    const made = (key: string) =>
      [key, lineOf(key, this.#after.get(key) ?? '', this.#before.get(key)?.line)] as const;
    this.#lines.rearrange(this.#layout.map((part) => (Array.isArray(part) ? part.map(made) : part)));
  }
}
