import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openImportInput } from './import-input.js';
import { memoryLines } from './memory-lines.js';
import { scanImport } from './scan-import.js';

const scanFile = async (file: string) => scanImport(memoryLines, await openImportInput(file, file));

let path: string;
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'trellis-lines-')), 'file');
});
afterEach(() => rm(join(path, '..'), { recursive: true, force: true }));

test('a scan counts what a file of either format holds and gives the reason for every line it cannot read', async () => {
  const lines = [
    '{"type":"entity","name":"A","entityType":"t","observations":[],"colour":"red"}',
    '{"type":"node","name":"B","nodeType":"t","metadata":["x"]}',
    '{"type":"relation","from":"A","to":"B","relationType":"r"}',
    '{"type":"edge","from":"A","to":"B","edgeType":"e","weight":0.5}',
    '{"type":"edge","from":"A","to":"B","edgeType":"e","weight":7}',
    `{"type":"entity","name":"${'x'.repeat(5_000)}","entityType":"t","observations":[]}`,
    '{"type":"entity","name":"torn',
    '"\\ud800"',
    '['.repeat(100_000),
  ];
  await writeFile(path, Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), Buffer.from([0xff, 0xfe])]));
  const scan = await scanFile(path);
  expect(scan).toMatchObject({ nodes: 2, edges: 2, leftOut: ['colour'] });
  expect(scan.unreadable.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9, 10]);
  expect(scan.unreadable[1]?.reason).toBe(
    'cannot be stored: The name of a node has 5000 characters; at most 4096 are allowed.',
  );
  expect(scan.unreadable[5]?.reason).toBe('is not valid UTF-8');
});

test('a file that is not there is named', async () => {
  await expect(scanFile(path)).rejects.toThrow(`Cannot read ${path}`);
});
