import { readFileSync } from 'node:fs';
import { packageFile } from '../../file/package-files.js';

/** The vectors of the most common words, from the package's asset; see assets/README.md. */
export interface WordVectors {
  readonly dimension: number;
  /** The rank of each word: the most common has 0. */
  readonly places: ReadonlyMap<string, number>;
  /** By rank, one after the other. */
  readonly bytes: Int8Array;
  /** The factor for the bytes of each word. */
  readonly scales: Float32Array;
}

let loaded: WordVectors | undefined;

/** Reads the asset on first use: most processes never search by meaning. */
export function wordVectors(): WordVectors {
  loaded ??= readAsset();
  return loaded;
}

function readAsset(): WordVectors {
  const file = readFileSync(packageFile('assets/word-vectors.bin'));
  const count = file.readUInt32LE(0);
  const dimension = file.readUInt32LE(4);
  const scales = Float32Array.from({ length: count }, (_, at) => file.readFloatLE(8 + at * 4));
  const start = 8 + count * 4;
  const end = start + count * dimension;
  const bytes = new Int8Array(file.buffer, file.byteOffset + start, count * dimension);
  const words = file.toString('utf8', end).split('\n');
  return { dimension, scales, bytes, places: new Map(words.map((word, place) => [word, place])) };
}
