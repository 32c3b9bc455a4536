import type { FileLine, LineBlock } from './line-blocks.js';

/** A part of new content: a block found unchanged, or bytes to parse. */
export type AlignedPart = { readonly kept: LineBlock<FileLine> } | { readonly gap: Buffer };

/** How far from its expected position a block is searched. */
const searchWindow = 256 * 1024;

const newline = 0x0a;

/** Finds known blocks in new content, in their order. */
export function alignBlocks(blocks: readonly LineBlock<FileLine>[], content: Buffer): AlignedPart[] {
  const parts: AlignedPart[] = [];
  let at = 0;
  let missing = 0;
  for (const block of blocks) {
    const found = findBlock(block.bytes, content, at, at + missing);
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

/** Where the bytes start a line, at `from` or later and near `expected`. */
function findBlock(bytes: Buffer, content: Buffer, from: number, expected: number): number | undefined {
  if (content.subarray(from, from + bytes.length).equals(bytes)) return from;
  const start = Math.max(from, expected - searchWindow);
  const found = content.subarray(start, expected + bytes.length + searchWindow).indexOf(bytes);
  if (found === -1) return undefined;
  const at = start + found;
  return at === 0 || content[at - 1] === newline ? at : undefined;
}
