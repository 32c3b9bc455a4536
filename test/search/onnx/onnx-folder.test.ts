import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashModel, readModelFolder } from '../../../src/search/embedders/onnx/model-folder.js';
import { openTokenizer } from '../../../src/search/embedders/onnx/model-tokenizer.js';
import { openEmbedder } from '../../../src/search/embedders/open-embedder.js';
import { writeTinyModel } from './tiny-model.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-onnx-'));
  await writeTinyModel(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, content: unknown) => {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
};
const tokenizerJson = async () => JSON.parse(await readFile(join(folder, 'tokenizer.json'), 'utf8'));

describe('the folder of a model', () => {
  test('without configuration it is pooled by the mean, up to 512 tokens, without prompts', async () => {
    expect(await readModelFolder(folder)).toMatchObject({
      modelFile: join(folder, 'onnx', 'model.onnx'),
      ...{ pooling: 'mean', maxLength: 512, prompts: undefined },
    });
  });

  test('its configuration says pooling, length and prompts', async () => {
    const types = ['Transformer', 'Pooling', 'Normalize'];
    const modules = types.map((type, at) => ({
      ...{ idx: at, name: `${at}`, path: at === 0 ? '' : `${at}_${type}` },
      type: `sentence_transformers.models.${type}`,
    }));
    await write('modules.json', modules);
    await write('1_Pooling/config.json', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false });
    await write('sentence_bert_config.json', { max_seq_length: 256 });
    await write('config_sentence_transformers.json', { prompts: { query: 'q: ', passage: 'p: ' } });
    expect(await readModelFolder(folder)).toMatchObject({
      ...{ pooling: 'cls', maxLength: 256, prompts: { query: 'q: ', document: 'p: ' } },
    });
  });

  test('the length is bounded by what the model was made for, and by memory', async () => {
    await write('sentence_bert_config.json', { max_seq_length: 100_000 });
    expect((await readModelFolder(folder)).maxLength).toBe(2_048);
    await write('config.json', { max_position_embeddings: 128 });
    expect((await readModelFolder(folder)).maxLength).toBe(128);
  });

  test('its hash changes with its weights and its settings', async () => {
    const first = await hashModel(await readModelFolder(folder));
    expect(await hashModel(await readModelFolder(folder))).toBe(first);
    await write('sentence_bert_config.json', { max_seq_length: 7 });
    const second = await hashModel(await readModelFolder(folder));
    await write('onnx/model.onnx', 'other');
    const third = await hashModel(await readModelFolder(folder));
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test.each<[reason: string, spoil: () => Promise<void>]>([
    ['it is not a folder', () => rm(folder, { recursive: true })],
    ['it has no tokenizer.json', () => rm(join(folder, 'tokenizer.json'))],
    ['it has no model.onnx', () => rm(join(folder, 'onnx'), { recursive: true })],
    [
      'it has several .onnx files',
      async () => {
        await rm(join(folder, 'onnx/model.onnx'));
        await write('onnx/a.onnx', '');
        await write('b.onnx', '');
      },
    ],
    ['tokenizer.json is not what it should be', () => write('tokenizer.json', '{')],
    ['config.json is not what it should be', () => write('config.json', { max_position_embeddings: -1 })],
    [
      'its module Dense is not supported',
      () => write('modules.json', [{ type: 'a.Dense', path: '2_Dense' }]),
    ],
    ['names a folder outside it', () => write('modules.json', [{ type: 'a.Pooling', path: '../../etc' }])],
    [
      'a pooling other than mean or CLS',
      () => write('1_Pooling/config.json', { pooling_mode_max_tokens: true }),
    ],
  ])('is refused because %s', async (reason, spoil) => {
    await spoil();
    await expect(readModelFolder(folder)).rejects.toMatchObject({ code: 'EMBEDDER_UNAVAILABLE' });
    await expect(readModelFolder(folder)).rejects.toThrow(reason);
  });
});

describe('the tokenizer of a model', () => {
  test('that of uncased BERT frames a text as its template says, and cuts what is too long', async () => {
    const json = await tokenizerJson();
    json.post_processor = {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '[CLS]', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '[SEP]', type_id: 0 } },
      ],
      pair: [],
      special_tokens: { '[CLS]': { id: '[CLS]', ids: [90] }, '[SEP]': { id: '[SEP]', ids: [91] } },
    };
    await write('tokenizer.json', json);
    await write('sentence_bert_config.json', { max_seq_length: 5 });
    const encode = openTokenizer(await readModelFolder(folder));
    const { vocab } = json.model;
    expect(encode('Dog xyz')).toEqual([90, vocab.dog, vocab['[UNK]'], 91]);
    expect(encode('dog dog dog dog dog')).toEqual([90, vocab.dog, vocab.dog, vocab.dog, 91]);
    expect(encode('')).toEqual([90, 91]);
  });

  test('another one is refused with what to install', async () => {
    await write('tokenizer.json', { model: { type: 'Unigram', vocab: [] } });
    const read = await readModelFolder(folder);
    expect(() => openTokenizer(read)).toThrow('it needs the package @huggingface/tokenizers');
  });
});

describe('the embedder', () => {
  test('without a model it is refused', async () => {
    await expect(openEmbedder({ provider: 'onnx' })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('without ONNX Runtime it says what to install', async () => {
    await expect(openEmbedder({ provider: 'onnx', model: folder })).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      hint: 'Install one beside Trellis with: npm install --ignore-scripts onnxruntime-node',
    });
  });

  test('a folder that cannot be used fails when it is opened', async () => {
    await rm(join(folder, 'tokenizer.json'));
    await expect(openEmbedder({ provider: 'onnx', model: folder })).rejects.toThrow(
      'it has no tokenizer.json',
    );
  });
});
