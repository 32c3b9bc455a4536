import { type GrowingMemory, WasmCode } from './wasm-code.js';

/**
 * Writes vectors as rows of bytes, and adds rows up. All are at offsets of one memory, and end where a multiple of sixteen
 * numbers ends; what is unused is 0.
 */
export interface RowFunctions {
  /** The largest number of a vector without its sign; NaN or infinite if one of them is. */
  readonly largest: (vector: number, end: number) => number;
  /**
   * Writes the numbers of a vector as bytes, the largest as 127 or -127, and returns the sum of the squares of the bytes.
   * @param largest Neither 0 nor infinite.
   */
  readonly quantize: (vector: number, end: number, largest: number, row: number) => number;
  /** Adds a row, times a factor, to sums of 64 bits. */
  readonly add: (row: number, end: number, factor: number, sum: number) => void;
}

/** quantize.wat, compiled. */
const code = new WasmCode<RowFunctions>(
  'AGFzbQEAAAABFgNgAn9/AX1gBH9/fX8Bf2AEf398fwACDAEABm1lbW9yeQIAAQMEAwABAgccAwdsYXJnZXN0AAAIcXVhbnRpemUAAQNhZGQAAgqzBA' +
    'OJAQIBewF/A0AgAiAA/QAEAP3gASAA/QAEEP3gAf24ASAA/QAEIP3gASAA/QAEMP3gAf24Af24Af24ASECIABBwABqIgAgAUkNAAsgAiACIAL9DQgJ' +
    'CgsMDQ4PAAECAwQFBgf9uAEhAiACIAIgAv0NBAUGBwABAgMMDQ4PCAkKC/24ASECIAL9HwAL4AEBBnsgAv0TIQRDAAD+Qv0TIQVDAABAS/0TIQYDQC' +
    'AA/QAEACAE/ecBIAX95gEgBv3kASAG/bEBIAD9AAQQIAT95wEgBf3mASAG/eQBIAb9sQH9hQEhCCAA/QAEICAE/ecBIAX95gEgBv3kASAG/bEBIAD9' +
    'AAQwIAT95wEgBf3mASAG/eQBIAb9sQH9hQEhCSADIAggCf1l/QsEACAHIAggCP26ASAJIAn9ugH9rgH9rgEhByADQRBqIQMgAEHAAGoiACABSQ0ACy' +
    'AH/RsAIAf9GwFqIAf9GwIgB/0bA2pqC8MBAQR7IAL9FCEEA0AgAP0BAwAhBSAF/acBIQYgBf2oASEHIAMgA/0ABAAgBCAG/f4B/fIB/fAB/QsEACAD' +
    'IAP9AAQQIAQgBiAG/Q0ICQoLDA0ODwABAgMEBQYH/f4B/fIB/fAB/QsEECADIAP9AAQgIAQgB/3+Af3yAf3wAf0LBCAgAyAD/QAEMCAEIAcgB/0NCA' +
    'kKCwwNDg8AAQIDBAUGB/3+Af3yAf3wAf0LBDAgA0HAAGohAyAAQQhqIgAgAUkNAAsL',
);

/** Compiled where the processor has what it needs. */
export function compileRows(memory: GrowingMemory): RowFunctions {
  return code.isSupported ? code.functionsOn(memory) : plainRows(memory);
}

/** Adding and subtracting it rounds a number of 32 bits to an integer. */
const integerBias = 1.5 * 2 ** 23;

export function plainRows(memory: GrowingMemory): RowFunctions {
  return {
    largest: (vector, end) => {
      let largest = 0;
      for (const value of new Float32Array(memory.buffer, vector, (end - vector) / 4))
        largest = Math.max(largest, Math.abs(value));
      return largest;
    },
    quantize: (vector, end, largest, row) => {
      const numbers = new Float32Array(memory.buffer, vector, (end - vector) / 4);
      const bytes = new Int8Array(memory.buffer, row, numbers.length);
      let squares = 0;
      for (const [axis, value] of numbers.entries()) {
        // Rounded to 32 bits after each step, as the compiled code does.
        const scaled = Math.fround(Math.fround(value / largest) * 127);
        const byte = Math.fround(scaled + integerBias) - integerBias;
        bytes[axis] = byte;
        squares += byte * byte;
      }
      return squares;
    },
    add: (row, end, factor, sum) => {
      const bytes = new Int8Array(memory.buffer, row, end - row);
      const sums = new Float64Array(memory.buffer, sum, bytes.length);
      for (const [axis, byte] of bytes.entries()) sums[axis] = (sums[axis] ?? 0) + byte * factor;
    },
  };
}
