/** Multiplies rows of bytes with a query of 16-bit integers; both and the products are at offsets of one memory. */
export type MultiplyRows = (
  query: number,
  row: number,
  rows: number,
  stride: number,
  products: number,
) => void;

export interface GrowingMemory {
  /** Replaced when the memory grows. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of it; TypeScript declares it for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => GrowingMemory;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: { readonly multiply: MultiplyRows } };
  validate(code: Uint8Array): boolean;
};

/** dot-products.wat, compiled: sixteen numbers at a time, which JavaScript cannot do. */
const code = Buffer.from(
  'AGFzbQEAAAABCQFgBX9/f39/AAIMAQAGbWVtb3J5AgABAwIBAAcMAQhtdWx0aXBseQAACqEBAZ4BAgN/AnsgBCACQQJ0aiEHA0AgACEFIAEgA2oh' +
    'Bv0MAAAAAAAAAAAAAAAAAAAAACEIA0AgAf0ABAAhCSAIIAn9hwEgBf0ABAD9ugEgCf2IASAF/QAEEP26Af2uAf2uASEIIAVBIGohBSABQRBq' +
    'IgEgBkcNAAsgBCAI/RsAIAj9GwFqIAj9GwIgCP0bA2pqNgIAIARBBGoiBCAHRw0ACws=',
  'base64',
);

export const pageBytes = 65_536;

export function createMemory(bytes: number): GrowingMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
}

let module: object | undefined;

/** Compiled where the processor has what it needs. */
export function compileMultiply(memory: GrowingMemory): MultiplyRows {
  if (!WebAssembly.validate(code)) return plainMultiply(memory);
  module ??= new WebAssembly.Module(code);
  return new WebAssembly.Instance(module, { '': { memory } }).exports.multiply;
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
