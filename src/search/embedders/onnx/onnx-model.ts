import { reasonOf } from '../../../model/error.js';
import { normalizeVector, type TextKind } from '../embedder.js';
import { withTaskPrefix } from '../task-prefixes.js';
import { hashModel, type ModelFolder, readModelFolder, unusable } from './model-folder.js';
import { type ModelTokenizer, openTokenizer } from './model-tokenizer.js';
import { type OpenSession, openSession } from './onnx-runtime.js';

const knownInputs: ReadonlySet<string> = new Set(['input_ids', 'attention_mask', 'token_type_ids']);

/** A sentence-transformer in this process. Running it blocks the process. */
export class OnnxModel {
  readonly id: string;
  readonly dimension: number;
  readonly #folder: ModelFolder;
  readonly #tokenize: ModelTokenizer;
  readonly #open: OpenSession;

  private constructor(
    folder: ModelFolder,
    parts: { id: string; dimension: number; tokenize: ModelTokenizer; open: OpenSession },
  ) {
    this.#folder = folder;
    this.id = parts.id;
    this.dimension = parts.dimension;
    this.#tokenize = parts.tokenize;
    this.#open = parts.open;
  }

  /** Embeds a text to try it: a folder that cannot be used fails here. */
  static async open(path: string): Promise<OnnxModel> {
    const folder = await readModelFolder(path);
    const tokenize = openTokenizer(folder);
    const open = await openSession(folder.modelFile);
    const unknown = open.session.inputNames.find((name) => !knownInputs.has(name));
    if (unknown !== undefined) throw unusable(path, `it wants the input ${unknown}`);
    let dimension: number;
    try {
      dimension = (await runText(folder, open, tokenize('hello'))).length;
    } catch (error) {
      throw unusable(path, `it fails on a text: ${reasonOf(error)}`, error);
    }
    const id = `onnx:${folder.name}:${await hashModel(folder)}`;
    return new OnnxModel(folder, { id, dimension, tokenize, open });
  }

  tokenize(text: string, kind: TextKind): readonly number[] {
    const { prompts, name } = this.#folder;
    const plain = { name: '', instruction: '' };
    return this.#tokenize(
      prompts === undefined ? withTaskPrefix(name, text, kind, plain) : `${prompts[kind]}${text}`,
    );
  }

  /**
   * One text at a time: in a batch, quantised models scale all texts alike, so a vector would depend on the others, and
   * on a processor a batch takes longer than its texts alone.
   */
  async embed(pieces: readonly number[]): Promise<Float32Array> {
    return pieces.length === 0 ? new Float32Array(this.dimension) : runText(this.#folder, this.#open, pieces);
  }
}

async function runText(
  { pooling }: ModelFolder,
  { session, tensor }: OpenSession,
  pieces: readonly number[],
): Promise<Float32Array> {
  const dims = [1, pieces.length];
  const inputs = {
    input_ids: tensor(BigInt64Array.from(pieces, BigInt), dims),
    attention_mask: tensor(new BigInt64Array(pieces.length).fill(1n), dims),
    token_type_ids: tensor(new BigInt64Array(pieces.length), dims),
  };
  const wanted = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
  const outputs = await session.run(Object.fromEntries(wanted));
  const output =
    outputs['sentence_embedding'] ?? outputs['last_hidden_state'] ?? outputs[session.outputNames[0] ?? ''];
  if (output === undefined || !(output.data instanceof Float32Array))
    throw new Error(`its output is ${output?.type ?? 'missing'}, not float32`);
  return poolTokens(output.data, output.dims, pooling);
}

/** A model may pool by itself; then there is one vector instead of one for each token. */
function poolTokens(
  data: Float32Array,
  dims: readonly number[],
  pooling: ModelFolder['pooling'],
): Float32Array {
  const dimension = dims.at(-1) ?? 0;
  const isPooled = dims.length === 2;
  if (dims[0] !== 1 || dimension < 1 || (!isPooled && dims.length !== 3))
    throw new Error(`its output has the shape ${dims.join(' × ')}`);
  const used = isPooled || pooling === 'cls' ? 1 : (dims[1] ?? 1);
  const sum = new Float32Array(dimension);
  for (let at = 0; at < used * dimension; at++) {
    const axis = at % dimension;
    sum[axis] = (sum[axis] ?? 0) + (data[at] ?? 0);
  }
  if (!sum.every(Number.isFinite)) throw new Error('its output has numbers that are not finite');
  return normalizeVector(sum);
}
