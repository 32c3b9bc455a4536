import { type GrowingMemory, WasmCode } from './wasm-code.js';

/** Multiplies rows of bytes with a query of 16-bit integers; both and the products are at offsets of one memory. */
export type MultiplyRows = (
  query: number,
  row: number,
  rows: number,
  stride: number,
  products: number,
) => void;

/** dot-products.wat, compiled: sixteen numbers at a time, which JavaScript cannot do. */
const code = new WasmCode<{ readonly multiply: MultiplyRows }>(
  'AGFzbQEAAAABCQFgBX9/f39/AAIMAQAGbWVtb3J5AgABAwIBAAcMAQhtdWx0aXBseQAACqEBAZ4BAgN/AnsgBCACQQJ0aiEHA0AgACEFIAEgA2oh' +
    'Bv0MAAAAAAAAAAAAAAAAAAAAACEIA0AgAf0ABAAhCSAIIAn9hwEgBf0ABAD9ugEgCf2IASAF/QAEEP26Af2uAf2uASEIIAVBIGohBSABQRBq' +
    'IgEgBkcNAAsgBCAI/RsAIAj9GwFqIAj9GwIgCP0bA2pqNgIAIARBBGoiBCAHRw0ACws=',
);

/** Compiled where the processor has what it needs. */
export function compileMultiply(memory: GrowingMemory): MultiplyRows {
  return code.isSupported ? code.functionsOn(memory).multiply : plainMultiply(memory);
}

export function plainMultiply(memory: GrowingMemory): MultiplyRows {
  return (query, row, rows, stride, products) => {
    const factors = new Int16Array(memory.buffer, query, stride);
    const bytes = new Int8Array(memory.buffer, row, rows * stride);
    const sums = new Int32Array(memory.buffer, products, rows);
    for (let place = 0, at = 0; place < rows; place++) {
      let sum = 0;
      for (let axis = 0; axis < stride; axis++, at++) sum += (factors[axis] ?? 0) * (bytes[at] ?? 0);
      sums[place] = sum;
    }
  };
}
