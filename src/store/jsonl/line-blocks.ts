export interface FileLine {
  readonly text: string;
}

/** A line's new text, or undefined to remove it. `append` moves it to the end, or ahead of the line `before`. */
export type LineChange<L> =
  | { readonly line: L; readonly append: boolean; readonly before?: string | undefined }
  | undefined;

/** Large enough for few blocks, small enough to rebuild one cheaply. */
const blockSize = 256;

/** Adjacent lines and their bytes, which are joined once. Never changed, only replaced. */
export class LineBlock<L extends FileLine> {
  readonly lines: ReadonlyMap<string, L>;
  #bytes: Buffer | undefined;

  constructor(lines: ReadonlyMap<string, L>) {
    this.lines = lines;
  }

  get bytes(): Buffer {
    if (this.#bytes === undefined) {
      let text = '';
      for (const line of this.lines.values()) text += `${line.text}\n`;
      this.#bytes = Buffer.from(text, 'utf8');
    }
    return this.#bytes;
  }
}

/** Holds a block, which is replaced when its lines change. */
interface Slot<L extends FileLine> {
  block: LineBlock<L>;
}

/** Changed blocks that are adopted once they are saved. */
export interface StagedBlocks<L extends FileLine> {
  readonly blocks: readonly LineBlock<L>[];
  readonly removed: readonly string[];
  apply(): void;
}

/** Lines by key, in file order, in blocks: changing one line costs one block, not the file. */
export class LineBlocks<L extends FileLine> {
  #slots: Slot<L>[] = [];
  readonly #slotOf = new Map<string, Slot<L>>();

  get size(): number {
    return this.#slotOf.size;
  }

  get blocks(): LineBlock<L>[] {
    return this.#slots.map((slot) => slot.block);
  }

  get(key: string): L | undefined {
    return this.#slotOf.get(key)?.block.lines.get(key);
  }

  blockOf(key: string): LineBlock<L> | undefined {
    return this.#slotOf.get(key)?.block;
  }

  /** Applies the changes, one after the other, to copies of the blocks. */
  stage(changes: ReadonlyMap<string, LineChange<L>>): StagedBlocks<L> {
    const edits = new BlockEdits(this.#slotOf);
    for (const [key, change] of changes) edits.apply(key, change);
    const last = this.#slots.at(-1);
    if (last !== undefined) edits.fill(last);
    const replaced = new Map(Array.from(edits.edited, ([slot, lines]) => [slot, new LineBlock(lines)]));
    const added = splitIntoBlocks(edits.appended);
    return {
      blocks: [...this.#slots.map((slot) => replaced.get(slot) ?? slot.block), ...added],
      removed: edits.removed,
      apply: () => this.#adopt(replaced, added),
    };
  }

  #adopt(replaced: ReadonlyMap<Slot<L>, LineBlock<L>>, added: readonly LineBlock<L>[]): void {
    for (const [slot, block] of replaced) {
      this.#forget(slot);
      slot.block = block;
    }
    for (const slot of replaced.keys()) this.#remember(slot);
    this.#slots = [...this.#slots.filter((slot) => slot.block.lines.size > 0), ...this.#slotsOf(added)];
  }

  /** Replaces the blocks: by some that are there already, and new ones for the lines between them. */
  rearrange(parts: readonly (LineBlock<L> | readonly (readonly [string, L])[])[]): void {
    const slotOfBlock = new Map(this.#slots.map((slot) => [slot.block, slot]));
    const kept = new Set(
      parts.flatMap((part) => (part instanceof LineBlock ? (slotOfBlock.get(part) ?? []) : [])),
    );
    for (const slot of this.#slots) if (!kept.has(slot)) this.#forget(slot);
    this.#slots = parts.flatMap((part) =>
      part instanceof LineBlock ? (slotOfBlock.get(part) ?? []) : this.#slotsOf(splitIntoBlocks(part)),
    );
  }

  #slotsOf(blocks: readonly LineBlock<L>[]): Slot<L>[] {
    const slots = blocks.map((block) => ({ block }));
    for (const slot of slots) this.#remember(slot);
    return slots;
  }

  #remember(slot: Slot<L>): void {
    for (const key of slot.block.lines.keys()) this.#slotOf.set(key, slot);
  }

  #forget(slot: Slot<L>): void {
    for (const key of slot.block.lines.keys()) this.#slotOf.delete(key);
  }
}

class BlockEdits<L extends FileLine> {
  readonly edited = new Map<Slot<L>, Map<string, L>>();
  /** After all blocks. */
  appended: [string, L][] = [];
  readonly removed: string[] = [];
  readonly #slotOf: ReadonlyMap<string, Slot<L>>;
  readonly #inserted = new Map<string, Slot<L>>();

  constructor(slotOf: ReadonlyMap<string, Slot<L>>) {
    this.#slotOf = slotOf;
  }

  apply(key: string, change: LineChange<L>): void {
    const slot = this.#slotOf.get(key);
    if (change !== undefined && !change.append && slot !== undefined) {
      this.#edit(slot).set(key, change.line);
      return;
    }
    if (slot !== undefined) this.#edit(slot).delete(key);
    if (change?.before !== undefined) this.#insert([key, change.line], change.before);
    else if (change !== undefined) this.appended.push([key, change.line]);
    else if (slot !== undefined) this.removed.push(key);
  }

  /** Moves appended lines into the last block as far as it has room. */
  fill(last: Slot<L>): void {
    if (this.appended.length === 0 || last.block.lines.size >= blockSize) return;
    const lines = this.#edit(last);
    for (const [key, line] of this.appended.splice(0, blockSize - lines.size)) lines.set(key, line);
  }

  #insert(entry: [string, L], before: string): void {
    const slot = this.#inserted.get(before) ?? this.#slotOf.get(before);
    if (slot === undefined || !this.#edit(slot).has(before)) {
      this.appended = insertBefore(this.appended, before, entry);
      return;
    }
    this.edited.set(slot, new Map(insertBefore(this.#edit(slot), before, entry)));
    this.#inserted.set(entry[0], slot);
  }

  #edit(slot: Slot<L>): Map<string, L> {
    const lines = this.edited.get(slot) ?? new Map(slot.block.lines);
    this.edited.set(slot, lines);
    return lines;
  }
}

/** Appends the entry if `before` is missing. */
function insertBefore<L>(entries: Iterable<[string, L]>, before: string, entry: [string, L]): [string, L][] {
  const all = [...entries];
  const at = all.findIndex(([key]) => key === before);
  return at === -1 ? [...all, entry] : all.toSpliced(at, 0, entry);
}

function splitIntoBlocks<L extends FileLine>(lines: readonly (readonly [string, L])[]): LineBlock<L>[] {
  const blocks: LineBlock<L>[] = [];
  for (let at = 0; at < lines.length; at += blockSize) {
    blocks.push(new LineBlock(new Map(lines.slice(at, at + blockSize))));
  }
  return blocks;
}
