import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEmbedder } from '../../../src/search/embedders/open-embedder.js';
import { useSandbox } from '../../cli/run-cli.js';
import { full } from '../../helpers/full.js';
import { fetchRealModel } from './real-model.js';
import { writeTinyModel } from './tiny-model.js';

const general = { name: 'general', instruction: '' };
const model = full
  ? await fetchRealModel().catch((error: unknown) => `cannot be had: ${error}`)
  : 'npm run test:full';
const reason = typeof model === 'string' ? ` (${model})` : '';
const { folder, modules } = typeof model === 'string' ? { folder: '', modules: '' } : model;

describe.skipIf(typeof model === 'string')(`onnx with all-MiniLM-L6-v2${reason}`, () => {
  const sandbox = useSandbox();
  const before = process.env['NODE_PATH'];
  const scratch: string[] = [];
  beforeAll(() => {
    process.env['NODE_PATH'] = modules;
  });
  afterAll(async () => {
    if (before === undefined) delete process.env['NODE_PATH'];
    else process.env['NODE_PATH'] = before;
    for (const one of scratch) await rm(one, { recursive: true, force: true });
  });
  const tiny = async (input?: string) => {
    const made = await mkdtemp(join(tmpdir(), 'trellis-onnx-'));
    scratch.push(made);
    await writeTinyModel(made, input);
    return made;
  };
  const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).reduce((sum, value, axis) => sum + value * (b[axis] ?? 0), 0);

  test('its vectors are those of the reference in Python, in whatever company', async () => {
    const path = new URL('minilm-vectors.json', import.meta.url);
    const expected: { text: string; vector: number[] }[] = JSON.parse(await readFile(path, 'utf8'));
    const embedder = await openEmbedder({ provider: 'onnx', model: folder });
    expect(await embedder?.dimension()).toBe(384);
    const made = await embedder?.embed(
      expected.map(({ text }) => text),
      'document',
      general,
    );
    for (const [at, { vector }] of expected.entries())
      expect(cosine(made?.[at] ?? [], vector)).toBeGreaterThan(0.99);
    const [alone] = (await embedder?.embed([expected[0]?.text ?? ''], 'query', general)) ?? [];
    expect(alone).toEqual(made?.[0]);
  });

  test('trellis embed --model embeds with it, under its name and a hash of its files', async () => {
    const lines = { Rex: 'a puppy that barks', Savings: 'interest on a loan' };
    await writeFile(
      sandbox.path('facts.jsonl'),
      Object.entries(lines)
        .map(([name, fact]) =>
          JSON.stringify({ type: 'entity', name, entityType: 'thing', observations: [fact] }),
        )
        .join('\n'),
    );
    await sandbox.run(['import', sandbox.path('facts.jsonl'), '--store', 'a.db']);
    const { stdout } = await sandbox.runProcess(['embed', '--store', 'a.db', '--model', folder, '--json'], {
      NODE_PATH: modules,
    });
    expect(JSON.parse(stdout)).toMatchObject({
      model: expect.stringMatching(/^onnx:all-MiniLM-L6-v2-q:[0-9a-f]{12}$/),
      graphs: [{ name: 'default', embedded: 4 }],
    });
  });

  test('a tiny model without special tokens works too', async () => {
    const embedder = await openEmbedder({ provider: 'onnx', model: await tiny() });
    const [dog = [], puppy = [], tea = []] =
      (await embedder?.embed(['dog', 'puppy', 'tea'], 'document', general)) ?? [];
    expect(cosine(dog, puppy)).toBeCloseTo(1, 5);
    expect(cosine(dog, tea)).toBeCloseTo(0, 5);
  });

  test('a damaged file and a model with unknown inputs are refused when they are opened', async () => {
    const damaged = await tiny();
    await writeFile(join(damaged, 'onnx', 'model.onnx'), 'not a model');
    await expect(openEmbedder({ provider: 'onnx', model: damaged })).rejects.toThrow('cannot load');
    const strange = await tiny('pixel_values');
    await expect(openEmbedder({ provider: 'onnx', model: strange })).rejects.toThrow(
      'it wants the input pixel_values',
    );
  });

  test('a tokenizer of another kind is read by @huggingface/tokenizers', async () => {
    const cased = await tiny();
    const path = join(cased, 'tokenizer.json');
    const json = JSON.parse(await readFile(path, 'utf8'));
    json.normalizer.lowercase = false;
    await writeFile(path, JSON.stringify(json));
    const embedder = await openEmbedder({ provider: 'onnx', model: cased });
    const [dog = [], loud = [], puppy = []] =
      (await embedder?.embed(['dog', 'DOG', 'puppy'], 'document', general)) ?? [];
    expect(cosine(dog, puppy)).toBeCloseTo(1, 5);
    expect(cosine(dog, loud)).toBeCloseTo(0, 5);
  });
});
