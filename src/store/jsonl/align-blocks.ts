import type { Block, Line } from './line-blocks.js';

/** Part of a new content: a block found unchanged, or bytes that have to be read. */
export type Part = { readonly kept: Block<Line> } | { readonly gap: Buffer };

/** How far from where it should be a block is looked for. */
const reach = 256 * 1024;

const newline = 0x0a;

/** Finds known blocks in new content, in their order; what lies between them is new, or stood in blocks that are not there. */
export function alignBlocks(blocks: readonly Block<Line>[], content: Buffer): Part[] {
  const parts: Part[] = [];
  let at = 0;
  let missing = 0;
  for (const block of blocks) {
    const found = find(block.bytes, content, at, at + missing);
    if (found === undefined) {
      missing += block.bytes.length;
      continue;
    }
    if (found > at) parts.push({ gap: content.subarray(at, found) });
    parts.push({ kept: block });
    at = found + block.bytes.length;
    missing = 0;
  }
  if (at < content.length) parts.push({ gap: content.subarray(at) });
  return parts;
}

/** Where the bytes begin a line of the content, at `from` or later and not far from `expected`. */
function find(bytes: Buffer, content: Buffer, from: number, expected: number): number | undefined {
  if (content.subarray(from, from + bytes.length).equals(bytes)) return from;
  const start = Math.max(from, expected - reach);
  const found = content.subarray(start, expected + bytes.length + reach).indexOf(bytes);
  if (found === -1) return undefined;
  const at = start + found;
  return at === 0 || content[at - 1] === newline ? at : undefined;
}
