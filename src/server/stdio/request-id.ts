import type { LineEdges } from './line-reader.js';

const id = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const atStart = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,`);
const atEnd = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/** Looks at the first and last field, where clients write it, so that the sender of a line too long to parse gets an error. */
export function requestIdOf({ head, tail }: LineEdges): string | number | null {
  const found = atStart.exec(head)?.[1] ?? atEnd.exec(tail)?.[1];
  if (found === undefined) return null;
  try {
    const parsed: unknown = JSON.parse(found);
    return typeof parsed === 'string' || typeof parsed === 'number' ? parsed : null;
  } catch {
    return null;
  }
}
