import type { NodeChunk } from '../../../../vector-store.js';
import type { NodeMatrix } from '../node-matrix.js';

/** Nodes whose bits are saved together, by their ids: so few that a change of one rewrites little. */
const chunkSize = 128;

export function chunkOf(node: number): number {
  return Math.floor(node / chunkSize);
}

/** The nodes of a chunk that the matrix has, as distances from the first possible one, and their bits. */
export function encodeChunk(matrix: NodeMatrix, chunk: number): NodeChunk {
  const nodes: number[] = [];
  const bits: number[] = [];
  for (let offset = 0; offset < chunkSize; offset++) {
    const place = matrix.placeOf(chunk * chunkSize + offset);
    if (place === undefined) continue;
    nodes.push(offset);
    bits.push(...matrix.bitsOf(place));
  }
  return { chunk, nodes: Uint8Array.from(nodes), bits: new Uint8Array(Uint32Array.from(bits).buffer) };
}

/** Returns false if the chunk is damaged. */
export function putChunk(matrix: NodeMatrix, { chunk, nodes, bits }: NodeChunk): boolean {
  const length = matrix.words * 2;
  if (bits.byteLength !== nodes.length * length * Uint32Array.BYTES_PER_ELEMENT) return false;
  // Copied: the bytes of a driver may not be aligned.
  const words = new Uint32Array(Uint8Array.from(bits).buffer);
  for (const [at, offset] of nodes.entries())
    matrix.putSaved(chunk * chunkSize + offset, words.subarray(at * length, (at + 1) * length));
  return true;
}
