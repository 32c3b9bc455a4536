import type { FileLine, LineBlock } from './line-blocks.js';

/** Part of a new content: a block found unchanged, or bytes that have to be read. */
export type AlignedPart = { readonly kept: LineBlock<FileLine> } | { readonly gap: Buffer };

/** How far from where it should be a block is looked for. */
const searchWindow = 256 * 1024;

const newline = 0x0a;

/** Finds known blocks in new content, in their order; what lies between them is new, or stood in blocks that are not there. */
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

/** Where the bytes begin a line of the content, at `from` or later and not far from `expected`. */
function findBlock(bytes: Buffer, content: Buffer, from: number, expected: number): number | undefined {
  if (content.subarray(from, from + bytes.length).equals(bytes)) return from;
  const start = Math.max(from, expected - searchWindow);
  const found = content.subarray(start, expected + bytes.length + searchWindow).indexOf(bytes);
  if (found === -1) return undefined;
  const at = start + found;
  return at === 0 || content[at - 1] === newline ? at : undefined;
}
