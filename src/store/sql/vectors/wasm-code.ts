export interface GrowingMemory {
  /** Replaced when the memory grows. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of it; TypeScript declares it for browsers only. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => GrowingMemory;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new <Functions>(
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Functions };
  validate(code: Uint8Array): boolean;
};

export const pageBytes = 65_536;

export function createMemory(bytes: number): GrowingMemory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / pageBytes) });
}

/** WebAssembly functions, compiled once for all memories, and not before they are needed. */
export class WasmCode<Functions> {
  readonly #code: Uint8Array;
  #isSupported: boolean | undefined;
  #module: object | undefined;

  constructor(base64: string) {
    this.#code = Buffer.from(base64, 'base64');
  }

  /** Whether the processor has what it needs. */
  get isSupported(): boolean {
    this.#isSupported ??= WebAssembly.validate(this.#code);
    return this.#isSupported;
  }

  /** Its functions, which read and write this memory. */
  functionsOn(memory: GrowingMemory): Functions {
    this.#module ??= new WebAssembly.Module(this.#code);
    return new WebAssembly.Instance<Functions>(this.#module, { '': { memory } }).exports;
  }
}

/** Copies a vector; of another length than it should have, it is cut or ends with zeros. */
export function writeVector(vector: Float32Array, memory: Float32Array): void {
  memory.set(vector.length > memory.length ? vector.subarray(0, memory.length) : vector);
  memory.fill(0, vector.length);
}
