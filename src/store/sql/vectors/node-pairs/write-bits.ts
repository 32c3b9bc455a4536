import { type GrowingMemory, WasmCode } from '../wasm-code.js';

/** Where the parts of a `VectorBits` are in its memory, in bytes. */
export interface BitsLayout {
  /** Of the vector, which is at 0; its opposite, with all signs changed, is written after it. */
  readonly vectorBytes: number;
  /**
   * Which numbers of the vector or its opposite are mixed, by their places in memory. In each round, `size` numbers are
   * mixed, each the sum of as many as `added`: first come `size` sources, one for each sum, then the next ones to add.
   */
  readonly sources: number;
  readonly added: number;
  /** Numbers that are being mixed. */
  readonly mixed: number;
  /** A power of two, from 64 on. */
  readonly size: number;
  /** As many rounds as it takes to fill them. */
  readonly bits: number;
  readonly bitsEnd: number;
}

/** Turns the vector into bits. */
export type WriteBits = () => void;

type WriteBitsAt = (
  ...layout: [
    ...[vectorBytes: number, sources: number, added: number],
    ...[mixed: number, size: number, bits: number, bitsEnd: number],
  ]
) => void;

/** write-bits.wat, compiled: four numbers at a time, which JavaScript cannot do. */
const code = new WasmCode<{ readonly write: WriteBitsAt }>(
  'AGFzbQEAAAABIwVgB39/f39/f38AYAF/AGAEf39/fwBgAn9/AGAEf39/fwF/AgwBAAZtZW1vcnkCAAEDBgUAAQIDBAcJAQV3cml0ZQAACv4JBUUBAX' +
    '8gAyAEQQJ0aiEHIAAQAQNAIAEgAiADIAcQAiADIAcQAyADIAcgBSAGEAQhBSABIAIgByADa2xqIQEgBSAGSQ0ACwslAQF/A0AgASAAaiAB/QAEAP3h' +
    'Af0LBAAgAUEQaiIBIABJDQALC/AFAgh7A38gAyACayEOA0AgACEMIAEhDf0MAAAAAAAAAAAAAAAAAAAAACEEIAQhBSAEIQYgBCEHA0AgBCAMKAIwIA' +
    'woAiAgDCgCECAMKAIA/VwCAP1WAgAB/VYCAAL9VgIAA/3kASEEIAUgDCgCNCAMKAIkIAwoAhQgDCgCBP1cAgD9VgIAAf1WAgAC/VYCAAP95AEhBSAG' +
    'IAwoAjggDCgCKCAMKAIYIAwoAgj9XAIA/VYCAAH9VgIAAv1WAgAD/eQBIQYgByAMKAI8IAwoAiwgDCgCHCAMKAIM/VwCAP1WAgAB/VYCAAL9VgIAA/' +
    '3kASEHIAwgDmohDCANQQFrIg0NAAsgBP0MRrYTP0a2Ez9GthM/RrYTPyAF/eYB/eQBIQj9DEa2Ez9GthM/RrYTP0a2Ez8gBP3mASAF/eUBIQkgBv0M' +
    'RrYTP0a2Ez9GthM/RrYTPyAH/eYB/eQBIQr9DEa2Ez9GthM/RrYTP0a2Ez8gBv3mASAH/eUBIQsgCCAJ/eQBIQQgCCAJ/eUBIQUgCiAL/eQBIQYgCi' +
    'AL/eUBIQcgBCAG/eQBIQggBSAH/eQBIQkgBCAG/eUBIQogBSAH/eUBIQsgCCAJ/Q0AAQIDEBESEwQFBgcUFRYXIQQgCCAJ/Q0ICQoLGBkaGwwNDg8c' +
    'HR4fIQUgCiAL/Q0AAQIDEBESEwQFBgcUFRYXIQYgCiAL/Q0ICQoLGBkaGwwNDg8cHR4fIQcgBCAG/Q0AAQIDBAUGBxAREhMUFRYXIQggBCAG/Q0ICQ' +
    'oLDA0ODxgZGhscHR4fIQkgBSAH/Q0AAQIDBAUGBxAREhMUFRYXIQogBSAH/Q0ICQoLDA0ODxgZGhscHR4fIQsgCCAJ/eQBIQQgCCAJ/eUBIQUgCiAL' +
    '/eQBIQYgCiAL/eUBIQcgAiAEIAb95AH9CwQAIAIgBSAH/eQB/QsEECACIAQgBv3lAf0LBCAgAiAFIAf95QH9CwQwIABBwABqIQAgAkHAAGoiAiADSQ' +
    '0ACwvCAgMGfwh7AX8gASAAayEQQcAAIQICQANAIAJBAnQgEEsNASAAIQMDQCADIAJqIQQgBCACaiEFIAUgAmohBiAEIQcDQCAD/QAEACEIIAT9AAQA' +
    'IQkgBf0ABAAhCiAG/QAEACELIAggCf3kASEMIAggCf3lASENIAogC/3kASEOIAogC/3lASEPIAMgDCAO/eQB/QsEACAEIA0gD/3kAf0LBAAgBSAMIA' +
    '795QH9CwQAIAYgDSAP/eUB/QsEACAEQRBqIQQgBUEQaiEFIAZBEGohBiADQRBqIgMgB0kNAAsgBiIDIAFJDQALIAJBAnQhAgwACwsgAiAQRgRADwsg' +
    'ACACaiEEA0AgAP0ABAAhCCAE/QAEACEJIAAgCCAJ/eQB/QsEACAEIAggCf3lAf0LBAAgAEEQaiEAIARBEGoiBCABSQ0ACwtaAQF7A0AgAiAA/QAEAC' +
    'AE/UMgAP0ABBAgBP1D/YUBIAD9AAQgIAT9QyAA/QAEMCAE/UP9hQH9Zf1kOwEAIAJBAmohAiAAQcAAaiIAIAFJIAIgA0lxDQALIAIL',
);

/** Compiled where the processor has what it needs. */
export function compileWriteBits(memory: GrowingMemory, layout: BitsLayout): WriteBits {
  if (!code.isSupported) return plainWriteBits(memory, layout);
  const { vectorBytes, sources, added, mixed, size, bits, bitsEnd } = layout;
  const { write } = code.functionsOn(memory);
  return () => write(vectorBytes, sources, added, mixed, size, bits, bitsEnd);
}

/** Numbers are rounded to 32 bits after each operation, as compiled code does, so the bits are the same. */
export function plainWriteBits({ buffer }: GrowingMemory, layout: BitsLayout): WriteBits {
  const { vectorBytes, added, size } = layout;
  const vector = new Float32Array(buffer, 0, vectorBytes / 4);
  const opposite = new Float32Array(buffer, vectorBytes, vectorBytes / 4);
  const numbers = new Float32Array(buffer, 0, layout.sources / 4);
  const sources = new Uint32Array(buffer, layout.sources, (layout.mixed - layout.sources) / 4);
  const mixed = new Float32Array(buffer, layout.mixed, size);
  const bits = new Uint32Array(buffer, layout.bits, (layout.bitsEnd - layout.bits) / 4);
  return () => {
    for (const [axis, value] of vector.entries()) opposite[axis] = -value;
    for (let round = 0; round * size < bits.length * 32; round++) {
      // Sums that begin with 0 are no negative zeros.
      mixed.fill(0);
      for (const [at, source] of sources.subarray(round * added * size, (round + 1) * added * size).entries())
        mixed[at % size] = (mixed[at % size] ?? 0) + (numbers[source / 4] ?? 0);
      weighUnevenly(mixed);
      mix(mixed);
      writeSigns(mixed, bits.subarray((round * size) / 32));
    }
  };
}

/** As measured: with 0, vectors with one large number seem nearer to each other than they are; with 1, less near. */
const neighbourWeight = Math.fround(0.577);

/**
 * Turns each number and its neighbour, so that a number counts more in some sums of them all than in others, about as in
 * random planes. A large one that counted the same everywhere would decide too many bits.
 */
function weighUnevenly(numbers: Float32Array): void {
  for (let at = 0; at < numbers.length; at += 2) {
    const a = numbers[at] ?? 0;
    const b = numbers[at + 1] ?? 0;
    numbers[at] = a + Math.fround(neighbourWeight * b);
    numbers[at + 1] = Math.fround(neighbourWeight * a) - b;
  }
}

/** The Walsh–Hadamard transform: every number becomes a sum of all of them, with signs of its own. */
function mix(numbers: Float32Array): void {
  for (let step = 1; step < numbers.length; step *= 2) {
    for (let first = 0; first < numbers.length; first++) {
      if ((first & step) !== 0) continue;
      const a = numbers[first] ?? 0;
      const b = numbers[first + step] ?? 0;
      numbers[first] = a + b;
      numbers[first + step] = a - b;
    }
  }
}

/** A bit for each number, 1 if it is below 0, as long as bits are wanted. */
function writeSigns(numbers: Float32Array, bits: Uint32Array): void {
  for (let at = 0; at < Math.min(bits.length, numbers.length / 32); at++) {
    let word = 0;
    for (let bit = 0; bit < 32; bit++) if ((numbers[at * 32 + bit] ?? 0) < 0) word |= 1 << bit;
    bits[at] = word;
  }
}
