import type { LineEdges } from './line-reader.js';

const id = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`;
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const atStart = new RegExp(String.raw`^\s*\{\s*(?:${version}\s*,\s*)?${id}\s*,`);
const atEnd = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/**
 * The id of a request whose line was too long to parse, so that its sender learns of the refusal instead of waiting:
 * it stands first or last in the object, as clients write it. Null if it is nowhere there.
 */
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
