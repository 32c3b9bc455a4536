import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { reasonOf } from '../../../model/error.js';
import { embedderUnavailable } from '../embedder.js';
import { loadOptional } from './optional-package.js';

/** The part of ONNX Runtime that is used; neither of its packages is a dependency. */
export interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<unknown>;
}
export interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, OnnxTensor>>): Promise<Readonly<Record<string, OnnxTensor>>>;
}
interface SessionOptions {
  readonly executionProviders: readonly string[];
  readonly intraOpNumThreads: number;
  readonly logSeverityLevel: number;
}
interface OnnxRuntime {
  readonly env: { readonly wasm: { numThreads?: number } };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor;
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: SessionOptions): Promise<OnnxSession>;
  };
}

export interface OpenSession {
  readonly session: OnnxSession;
  tensor(data: BigInt64Array, dims: readonly number[]): OnnxTensor;
}

/** The program itself needs the other half. */
const threads = Math.max(1, Math.floor(availableParallelism() / 2));

export async function openSession(modelFile: string): Promise<OpenSession> {
  const native = loadOptional<OnnxRuntime>('onnxruntime-node');
  const runtime = native ?? loadOptional<OnnxRuntime>('onnxruntime-web');
  if (runtime === undefined) {
    throw embedderUnavailable(
      'The embedder onnx needs the package onnxruntime-node or onnxruntime-web, and neither is installed.',
      'Install one beside Trellis with: npm install --ignore-scripts onnxruntime-node',
    );
  }
  const options = { intraOpNumThreads: threads, logSeverityLevel: 3 };
  try {
    const session =
      native === undefined
        ? await openInWebAssembly(runtime, modelFile, options)
        : await native.InferenceSession.create(modelFile, { ...options, executionProviders: ['cpu'] });
    return { session, tensor: (data, dims) => new runtime.Tensor('int64', data, dims) };
  } catch (error) {
    throw embedderUnavailable(
      `ONNX Runtime cannot load ${modelFile}: ${reasonOf(error)}`,
      'Check that the file is complete, and that it is an ONNX model.',
      error,
    );
  }
}

async function openInWebAssembly(
  runtime: OnnxRuntime,
  modelFile: string,
  options: Omit<SessionOptions, 'executionProviders'>,
): Promise<OnnxSession> {
  runtime.env.wasm.numThreads = threads;
  return runtime.InferenceSession.create(await readFile(modelFile), {
    ...options,
    executionProviders: ['wasm'],
  });
}
