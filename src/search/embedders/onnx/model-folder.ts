import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { reasonOf, type TrellisError } from '../../../model/error.js';
import { embedderUnavailable } from '../embedder.js';

/** A folder with a sentence-transformer, as its configuration files describe it. */
export interface ModelFolder {
  readonly name: string;
  readonly modelFile: string;
  /** The parsed `tokenizer.json` and `tokenizer_config.json`. */
  readonly tokenizer: unknown;
  readonly tokenizerConfig: unknown;
  readonly pooling: 'mean' | 'cls';
  /** In tokens; the rest of a longer text is ignored. */
  readonly maxLength: number;
  /** What the model expects before a text; undefined if the folder does not say. */
  readonly prompts: { readonly query: string; readonly document: string } | undefined;
}

const maxJsonBytes = 64 * 1024 * 1024;
const usualMaxLength = 512;
/** What attention needs grows with the square of the length: this bounds memory. */
const longestMaxLength = 2_048;

const positive = z.number().int().positive();
const poolingShape = z.looseObject({
  pooling_mode_cls_token: z.boolean().default(false),
  pooling_mode_mean_tokens: z.boolean().default(false),
});
const modulesShape = z.array(z.looseObject({ type: z.string(), path: z.string() }));
const lengthShape = z.looseObject({ max_seq_length: positive.nullish() });
const configShape = z.looseObject({ max_position_embeddings: positive.nullish() });
const promptsShape = z.looseObject({ prompts: z.record(z.string(), z.string()).default({}) });
const tokenizerShape = z.looseObject({ truncation: z.looseObject({ max_length: positive }).nullish() });

/** Throws if the folder is not one that can be used, and says why. */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw unusable(folder, 'it is not a folder');
  const read = <T>(name: string, shape: z.ZodType<T>) => readJson(folder, name, shape);
  const tokenizer = await read('tokenizer.json', tokenizerShape);
  if (tokenizer === undefined) throw unusable(folder, 'it has no tokenizer.json');
  const modelFile = await findModelFile(folder);
  const modules = await read('modules.json', modulesShape);
  const pooling = await readPooling(folder, modules);
  const own = (await read('sentence_bert_config.json', lengthShape))?.max_seq_length;
  const positions = (await read('config.json', configShape))?.max_position_embeddings;
  const said = own ?? tokenizer.truncation?.max_length ?? positions ?? usualMaxLength;
  return {
    ...{ name: basename(folder), modelFile, pooling, tokenizer },
    tokenizerConfig: (await read('tokenizer_config.json', z.looseObject({}))) ?? {},
    maxLength: Math.min(said, positions ?? longestMaxLength, longestMaxLength),
    prompts: promptsOf((await read('config_sentence_transformers.json', promptsShape))?.prompts),
  };
}

/** Folders with the same hash make the same vectors. */
export async function hashModel(folder: ModelFolder): Promise<string> {
  const { modelFile, ...settings } = folder;
  const hash = createHash('sha256').update(JSON.stringify(settings));
  // Where large models keep their weights.
  for (const file of [modelFile, `${modelFile}_data`, `${modelFile}.data`]) {
    if (file !== modelFile && !(await isFile(file))) continue;
    for await (const bytes of createReadStream(file)) hash.update(bytes);
  }
  return hash.digest('hex').slice(0, 12);
}

export function unusable(folder: string, reason: string, cause?: unknown): TrellisError {
  return embedderUnavailable(
    `The model in ${folder} cannot be used: ${reason}.`,
    'Name a folder with tokenizer.json and model.onnx, as sentence-transformers exports them.',
    cause,
  );
}

async function findModelFile(folder: string): Promise<string> {
  const usual = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'model_quantized.onnx'];
  for (const name of usual) if (await isFile(join(folder, name))) return join(folder, name);
  const found: string[] = [];
  for (const place of [folder, join(folder, 'onnx')]) {
    const names = await readdir(place).catch(() => []);
    found.push(...names.filter((name) => name.endsWith('.onnx')).map((name) => join(place, name)));
  }
  const [only, ...others] = found;
  if (only === undefined) throw unusable(folder, 'it has no model.onnx');
  if (others.length > 0) throw unusable(folder, 'it has several .onnx files, and none is called model.onnx');
  return only;
}

async function readPooling(
  folder: string,
  modules: z.output<typeof modulesShape> | undefined,
): Promise<'mean' | 'cls'> {
  const kinds = (modules ?? []).map(({ type, path }) => ({ kind: type.split('.').at(-1) ?? type, path }));
  const unknown = kinds.find(({ kind }) => !['Transformer', 'Pooling', 'Normalize'].includes(kind));
  if (unknown !== undefined) throw unusable(folder, `its module ${unknown.kind} is not supported`);
  const path = kinds.find(({ kind }) => kind === 'Pooling')?.path ?? '1_Pooling';
  if (!/^[\w-]+$/.test(path)) throw unusable(folder, 'modules.json names a folder outside it');
  const config = await readJson(folder, `${path}/config.json`, poolingShape);
  if (config === undefined || config.pooling_mode_mean_tokens) return 'mean';
  if (config.pooling_mode_cls_token) return 'cls';
  throw unusable(folder, `${path}/config.json asks for a pooling other than mean or CLS`);
}

function promptsOf(prompts: Readonly<Record<string, string>> = {}): ModelFolder['prompts'] {
  const query = prompts['query'];
  const document = prompts['document'] ?? prompts['passage'];
  if (query === undefined && document === undefined) return undefined;
  return { query: query ?? '', document: document ?? '' };
}

async function readJson<T>(folder: string, name: string, shape: z.ZodType<T>): Promise<T | undefined> {
  const path = join(folder, name);
  if (!(await isFile(path))) return undefined;
  if ((await stat(path)).size > maxJsonBytes) throw unusable(folder, `${name} is larger than 64 MB`);
  try {
    return shape.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : reasonOf(error);
    throw unusable(folder, `${name} is not what it should be: ${problem.replaceAll('\n', ' ')}`, error);
  }
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
