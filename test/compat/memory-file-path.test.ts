import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

let data: string;
const line = '{"type":"entity","name":"A","entityType":"t","observations":[]}\n';

beforeEach(async () => {
  const base = await mkdtemp(join(tmpdir(), 'trellis-path-'));
  data = join(base, 'trellis');
  await mkdir(data);
  vi.stubEnv('XDG_DATA_HOME', base);
  vi.stubEnv('MEMORY_FILE_PATH', undefined);
  vi.resetModules();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(join(data, '..'), { recursive: true, force: true });
});

function load() {
  return import('../../src/compat/server-memory.js');
}

test('8.8 Default path', async () => {
  const { defaultMemoryPath, ensureMemoryFilePath } = await load();
  expect(defaultMemoryPath).toBe(join(data, 'memory.jsonl'));
  expect(await ensureMemoryFilePath()).toBe(defaultMemoryPath);
});

test('8.8 Custom absolute path', async () => {
  vi.stubEnv('MEMORY_FILE_PATH', '/tmp/custom.jsonl');
  expect(await (await load()).ensureMemoryFilePath()).toBe('/tmp/custom.jsonl');
});

test('8.8 Custom relative path is taken from the working directory', async () => {
  vi.stubEnv('MEMORY_FILE_PATH', 'data/graph.jsonl');
  expect(await (await load()).ensureMemoryFilePath()).toBe(join(process.cwd(), 'data/graph.jsonl'));
});

test('a leading ~ is the home folder', async () => {
  vi.stubEnv('MEMORY_FILE_PATH', '~/graph.jsonl');
  expect(await (await load()).ensureMemoryFilePath()).toBe(
    join(process.env['HOME'] ?? homedir(), 'graph.jsonl'),
  );
});

test('8.8 Legacy migration', async () => {
  await writeFile(join(data, 'memory.json'), line);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await (await load()).ensureMemoryFilePath();
  expect(said).toHaveBeenCalledWith(expect.stringContaining('memory.json'));
  said.mockRestore();
  expect(await readFile(join(data, 'memory.jsonl'), 'utf8')).toBe(line);
  expect(existsSync(join(data, 'memory.json'))).toBe(false);
});

test('8.8 No migration when both exist', async () => {
  await writeFile(join(data, 'memory.json'), 'old');
  await writeFile(join(data, 'memory.jsonl'), 'new');
  await (await load()).ensureMemoryFilePath();
  expect(await readFile(join(data, 'memory.json'), 'utf8')).toBe('old');
  expect(await readFile(join(data, 'memory.jsonl'), 'utf8')).toBe('new');
});

test('a custom path of another name is left alone', async () => {
  const custom = join(data, 'graph.jsonl');
  await writeFile(join(data, 'memory.json'), line);
  vi.stubEnv('MEMORY_FILE_PATH', custom);
  expect(await (await load()).ensureMemoryFilePath()).toBe(custom);
  expect(existsSync(join(data, 'memory.json'))).toBe(true);
});
