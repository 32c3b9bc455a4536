import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { ByteMatrix } from './byte-matrix.js';
import { compileMultiply, plainMultiply } from './dot-products.js';
import { VectorBits } from './node-pairs/vector-bits.js';
import { compileWriteBits, plainWriteBits } from './node-pairs/write-bits.js';
import { compileRows, plainRows } from './quantize.js';
import { WasmCode } from './wasm-code.js';

/** Also NaN, infinite and very small ones, and zeros with a sign. */
const anyNumbers = fc.float32Array({ minLength: 1, maxLength: 130, size: 'max' });
/** About as models make them, times a factor. */
const usualNumbers = fc
  .record({
    dimension: fc.integer({ min: 1, max: 3_000 }),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
    factor: fc.constantFrom(1, 0.001, 2 ** -130, 2 ** -145, 2 ** 127),
  })
  .map(({ dimension, seed, factor }) => {
    let state = seed;
    return Float32Array.from({ length: dimension }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return (state / 2_147_483_647 - 0.5) * factor;
    });
  });
/** Sums of few different numbers are often about 0, and halves of bytes common, so that rounding decides. */
const roundedNumbers = fc
  .oneof(
    fc.array(fc.constantFrom(-2, -1, 0, 1, 1.5), { minLength: 1, maxLength: 200, size: 'max' }),
    fc
      .array(fc.integer({ min: -254, max: 254 }), { maxLength: 200, size: 'max' })
      .map((list) => [254, ...list]),
  )
  .map((list) => Float32Array.from(list));
/** The first one says how many numbers they should all have. */
const vectors = fc.array(fc.oneof(anyNumbers, usualNumbers, roundedNumbers), { minLength: 1, maxLength: 4 });

/** To simplify so many numbers would take minutes. */
const options = { endOnFailure: true };

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Int8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

describe('compiled code does the same as JavaScript', () => {
  test('and is used where the processor has what it needs', () => {
    const functionsOn = vi.spyOn(WasmCode.prototype, 'functionsOn');
    new ByteMatrix(3);
    new VectorBits(3);
    expect(functionsOn).toHaveBeenCalledTimes(3);
    functionsOn.mockRestore();
  });

  test('for the bits of vectors', () => {
    fc.assert(
      fc.property(vectors, (given) => {
        const bitsBy = (compile: typeof compileWriteBits) => {
          let mixed = new Float32Array();
          const writer = new VectorBits(given[0]?.length ?? 1, (memory, layout) => {
            mixed = new Float32Array(memory.buffer, layout.mixed, layout.size);
            return compile(memory, layout);
          });
          return given.map((vector) => {
            const bits = new Uint32Array(2 * writer.words);
            writer.write(vector, bits);
            // Also the numbers whose signs they are: rounding changes these more often.
            return { bits, mixed: mixed.slice() };
          });
        };
        expect(bitsBy(compileWriteBits)).toEqual(bitsBy(plainWriteBits));
      }),
      options,
    );
  });

  test('for their bytes, and the sums and products of these', () => {
    fc.assert(
      fc.property(vectors, fc.float({ noNaN: true, noDefaultInfinity: true }), (given, factor) => {
        const resultsBy = (multiply: typeof compileMultiply, rows: typeof compileRows) => {
          const matrix = new ByteMatrix(given[0]?.length ?? 1, multiply, rows);
          const written = given.map((vector, at) => matrix.put(at, vector));
          for (const at of given.keys()) matrix.addToSum(at, factor / (at + 1));
          const productWith = matrix.productsWith(0);
          const products = given.map((_, at) => productWith(at));
          const memory = [matrix.sum, ...given.map((_, at) => matrix.row(at))];
          return { written, products, bytes: Buffer.concat(memory.map(bytesOf)) };
        };
        const compiled = resultsBy(compileMultiply, compileRows);
        const plain = resultsBy(plainMultiply, plainRows);
        expect([compiled.written, compiled.products]).toEqual([plain.written, plain.products]);
        expect(compiled.bytes.equals(plain.bytes)).toBe(true);
        expect(compiled.products[0]).toBe(compiled.written[0]?.squares);
      }),
      options,
    );
  });
});

test('a vector becomes bytes in proportion to its largest number', () => {
  const matrix = new ByteMatrix(5);
  for (const factor of [1, -1, 2 ** -140, 2 ** 120]) {
    const numbers = [1, -2, 0.5, 0, -4].map((value) => value * factor);
    const sign = Math.sign(factor);
    expect(matrix.put(0, Float32Array.from(numbers))).toEqual({
      largest: 4 * Math.abs(factor),
      squares: 32 ** 2 + 64 ** 2 + 16 ** 2 + 127 ** 2,
    });
    expect([...matrix.row(0).subarray(0, 5)].map((byte) => byte * sign + 0)).toEqual([32, -64, 16, 0, -127]);
  }
});

test.each([
  ['zeros', [0, -0]],
  ['an infinite number', [1, Number.NEGATIVE_INFINITY]],
  ['what is no number', [Number.NaN, 1]],
])('a vector with %s becomes 0', (_, numbers) => {
  const matrix = new ByteMatrix(2);
  matrix.put(0, Float32Array.of(3, 4));
  expect(matrix.put(0, Float32Array.from(numbers))).toEqual({ largest: 0, squares: 0 });
  expect([...matrix.row(0)]).toEqual(new Array(16).fill(0));
});

test('a vector of another length than it should have is cut, or ends with zeros', () => {
  const matrix = new ByteMatrix(3);
  expect(matrix.put(0, Float32Array.of(1, 1, 1, 1_000))).toEqual({ largest: 1, squares: 3 * 127 ** 2 });
  expect(matrix.put(0, Float32Array.of(1))).toEqual({ largest: 1, squares: 127 ** 2 });
});
