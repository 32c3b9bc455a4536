// @ts-check
// Makes the asset of the local embedder from a static model, a folder with `model.safetensors` (a vector of floats for
// each token) and `tokenizer.json` (WordPiece): `node scripts/make-static-model.js FOLDER`. See assets/README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: node scripts/make-static-model.js FOLDER');
  process.exit(2);
}
const { model } = JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
const tokens = Object.entries(model.vocab)
  .sort(([, left], [, right]) => left - right)
  .map(([token]) => token);
const vectors = readEmbeddings(join(folder, 'model.safetensors'));
const dimension = vectors.length / tokens.length;
if (model.type !== 'WordPiece' || !Number.isInteger(dimension)) throw new Error('Not such a model.');
// What makes the first numbers of a vector a good shorter vector.
const squares = Array.from({ length: dimension }, (_, axis) => meanSquare(axis));
if (squares.some((square, axis) => square > 1.01 * (squares[axis - 1] ?? square)))
  throw new Error('The dimensions of this model are not in the order of their variance.');

const header = Buffer.alloc(8 + tokens.length * 4);
header.writeUInt32LE(tokens.length, 0);
header.writeUInt32LE(dimension, 4);
const bytes = new Int8Array(vectors.length);
for (let at = 0; at < tokens.length; at++) {
  const row = vectors.subarray(at * dimension, (at + 1) * dimension);
  const scale = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127;
  header.writeFloatLE(scale, 8 + at * 4);
  for (let axis = 0; axis < dimension; axis++)
    bytes[at * dimension + axis] = scale > 0 ? Math.round((row[axis] ?? 0) / scale) : 0;
}
const target = fileURLToPath(new URL('../assets/static-model.bin', import.meta.url));
writeFileSync(target, Buffer.concat([header, Buffer.from(bytes.buffer), Buffer.from(tokens.join('\n'))]));
console.log(`Wrote ${target}: ${tokens.length} tokens of ${dimension} dimensions`);

/** @param {number} axis */
function meanSquare(axis) {
  let sum = 0;
  for (let at = axis; at < vectors.length; at += dimension) sum += (vectors[at] ?? 0) ** 2;
  return sum / tokens.length;
}

/**
 * @param {string} path
 * @returns {Float32Array}
 */
function readEmbeddings(path) {
  const file = readFileSync(path);
  const length = Number(file.readBigUInt64LE(0));
  const { embeddings } = JSON.parse(file.toString('utf8', 8, 8 + length));
  if (embeddings.dtype !== 'F32') throw new Error(`The vectors are ${embeddings.dtype}, not F32.`);
  const [start, end] = embeddings.data_offsets;
  // Copied, so that they begin where floats may begin.
  return new Float32Array(Uint8Array.from(file.subarray(8 + length + start, 8 + length + end)).buffer);
}
