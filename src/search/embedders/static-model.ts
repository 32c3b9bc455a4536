import { readFileSync } from 'node:fs';
import { packageFile } from '../../file/package-files.js';
import { WordPiece } from './word-piece.js';

/** A vector for each piece of a vocabulary, from the package's asset; see assets/README.md. */
export interface StaticModel {
  readonly dimension: number;
  readonly tokenizer: WordPiece;
  /** By the number of the piece, one after the other. */
  readonly bytes: Int8Array;
  /** The factor for the bytes of each piece. */
  readonly scales: Float32Array;
}

let loaded: StaticModel | undefined;

/** Reads the asset on first use: most processes never search by meaning. */
export function staticModel(): StaticModel {
  loaded ??= readAsset();
  return loaded;
}

function readAsset(): StaticModel {
  const file = readFileSync(packageFile('assets/static-model.bin'));
  const count = file.readUInt32LE(0);
  const dimension = file.readUInt32LE(4);
  const scales = Float32Array.from({ length: count }, (_, at) => file.readFloatLE(8 + at * 4));
  const start = 8 + count * 4;
  const end = start + count * dimension;
  const bytes = new Int8Array(file.buffer, file.byteOffset + start, count * dimension);
  const pieces = file.toString('utf8', end).split('\n');
  const tokenizer = new WordPiece(new Map(pieces.map((piece, at) => [piece, at])));
  return { dimension, scales, bytes, tokenizer };
}
