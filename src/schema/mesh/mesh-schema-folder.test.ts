import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { meshSchemaLimits } from '../../model/limits.js';
import {
  type MeshSchemaFolder,
  type MeshSchemaFolderOptions,
  openMeshSchemaFolder,
} from './mesh-schema-folder.js';

let dir = '';
let opened: MeshSchemaFolder[] = [];
let warnings: string[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'trellis-schemas-'));
  opened = [];
  warnings = [];
});

afterEach(async () => {
  for (const folder of opened) await folder.close();
  await rm(dir, { recursive: true, force: true });
});

async function open(options: Partial<MeshSchemaFolderOptions> = {}): Promise<MeshSchemaFolder> {
  const folder = await openMeshSchemaFolder(dir, { warn: (message) => warnings.push(message), ...options });
  opened.push(folder);
  return folder;
}

function text(type: string, description = 'x'): string {
  return JSON.stringify({ name: `add_${type}`, description, properties: {} });
}

function write(name: string, content: string | Uint8Array): Promise<void> {
  return writeFile(join(dir, name), content);
}

function typesOf(folder: MeshSchemaFolder): string[] {
  return [...folder.catalog.schemas.keys()];
}

/** Waits for what the files' changes bring about. */
function eventually(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000, interval: 20 });
}

/** Time in which a change that nobody must notice would have been noticed. */
function aWhile(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1_000));
}

describe('opening a folder', () => {
  test('reads its schema files, and nothing else', async () => {
    await write('npc.schema.json', text('npc'));
    await write('town.schema.json', text('town'));
    await write('.npc.schema.json', 'an editor at work');
    await write('npc.schema.json~', 'a copy');
    await write('notes.json', 'something else');
    await mkdir(join(dir, 'more'));
    expect(typesOf(await open())).toEqual(['npc', 'town']);
    expect(warnings).toEqual([]);
  });

  test('follows links', async () => {
    await mkdir(join(dir, 'real'));
    await write('real/x.json', text('npc'));
    await symlink(join('real', 'x.json'), join(dir, 'npc.schema.json'));
    expect(typesOf(await open())).toEqual(['npc']);
  });

  test('that is not there is refused', async () => {
    await rm(dir, { recursive: true });
    await expect(open()).rejects.toMatchObject({
      code: 'SCHEMA_SOURCE_UNAVAILABLE',
      message: expect.stringContaining(dir),
      hint: expect.stringContaining('trellis init --schemas'),
    });
  });

  test('that is a file is refused', async () => {
    const file = join(dir, 'npc.schema.json');
    await write('npc.schema.json', text('npc'));
    await expect(openMeshSchemaFolder(file, { warn: () => {} })).rejects.toMatchObject({
      code: 'SCHEMA_SOURCE_UNAVAILABLE',
    });
  });

  test('with invalid files is refused, with every problem of every file', async () => {
    await write('a.schema.json', '{"name": "a"}');
    await write('b.schema.json', Uint8Array.of(0x7b, 0xff, 0x7d));
    await write('c.schema.json', 'x'.repeat(meshSchemaLimits.fileBytes + 1));
    await write('e.schema.json', text('npc'));
    await write('f.schema.json', text('npc'));
    await mkdir(join(dir, 'd.schema.json'));
    await expect(open()).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: [
        'Schema files have 7 problems:',
        '  a.schema.json: name is "a"; it must be "add_" followed by the node type, as in "add_npc"',
        '  a.schema.json: description is missing; it must be a string',
        '  a.schema.json: properties is missing; it must be an object with an entry for each property',
        '  b.schema.json is not UTF-8 text',
        '  c.schema.json has 1048577 bytes; at most 1048576 are allowed',
        '  d.schema.json is not a regular file',
        '  f.schema.json: name is "add_npc", which e.schema.json has too; rename one of them, because tool names must be unique',
      ].join('\n'),
    });
  });

  test('with too many files is refused', async () => {
    for (let index = 0; index <= meshSchemaLimits.files; index++) {
      await write(`t${index}.schema.json`, text(`t${index}`));
    }
    await expect(open()).rejects.toMatchObject({
      code: 'SCHEMA_INVALID',
      message: expect.stringContaining('has 501 schema files; at most 500 are allowed'),
    });
  });

  test('that is empty defines no tools, and warns', async () => {
    expect(typesOf(await open())).toEqual([]);
    expect(warnings).toEqual([`${dir} has no .schema.json files, so it defines no tools`]);
  });

  test('passes warnings on', async () => {
    await write('npc.schema.json', JSON.stringify({ ...JSON.parse(text('npc')), extra: 1 }));
    const folder = await open();
    expect(warnings).toEqual([expect.stringMatching(/^npc\.schema\.json: extra is unknown/)]);
    expect(folder.catalog.warnings).toEqual(warnings);
  });
});

describe.each([
  ['the file system reports changes', { watchEvents: true, pollInterval: 600_000 }],
  ['the folder has to be polled', { watchEvents: false, pollInterval: 50 }],
])('when %s', (_, options) => {
  test('a new file adds its tools, a removed one takes them along, a changed one changes them', async () => {
    await write('npc.schema.json', text('npc'));
    const folder = await open(options);
    const heard = vi.fn();
    folder.onChange(heard);

    await write('town.schema.json', text('town'));
    await eventually(() => expect(typesOf(folder)).toEqual(['npc', 'town']));
    await write('npc.schema.json', text('npc', 'another'));
    await eventually(() => expect(folder.catalog.schemas.get('npc')?.description).toBe('another'));
    await rm(join(dir, 'town.schema.json'));
    await eventually(() => expect(typesOf(folder)).toEqual(['npc']));
    expect(heard).toHaveBeenCalledTimes(3);
    expect(warnings).toEqual([]);
  });

  test('a file that becomes invalid keeps its last valid version, with one warning', async () => {
    await write('npc.schema.json', text('npc'));
    const folder = await open(options);
    const heard = vi.fn();
    folder.onChange(heard);

    await write('npc.schema.json', '{"name": ');
    await eventually(() => expect(warnings).toHaveLength(1));
    expect(warnings[0]).toMatch(/^npc\.schema\.json is not JSON: .*; its last valid version is still used$/);
    expect(folder.catalog.problems).toMatchObject([{ file: 'npc.schema.json' }]);
    expect(typesOf(folder)).toEqual(['npc']);
    await write('notes.txt', 'something else happens');
    await aWhile();
    expect(warnings).toHaveLength(1);
    expect(heard).not.toHaveBeenCalled();

    await write('npc.schema.json', text('npc', 'fixed'));
    await eventually(() => expect(folder.catalog.schemas.get('npc')?.description).toBe('fixed'));
    expect(folder.catalog.problems).toEqual([]);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('a new invalid file defines no tools', async () => {
    await write('npc.schema.json', text('npc'));
    const folder = await open(options);
    await write('town.schema.json', text('npc'));
    await eventually(() => expect(warnings).toHaveLength(1));
    expect(warnings[0]).toMatch(
      /^town\.schema\.json: name is "add_npc", which npc\.schema\.json has too; .* it defines no tools$/,
    );
    expect(typesOf(folder)).toEqual(['npc']);
  });

  test('an editor that saves by renaming changes nothing but the content', async () => {
    await write('npc.schema.json', text('npc'));
    const folder = await open(options);
    const heard: string[][] = [];
    folder.onChange(() => heard.push(typesOf(folder)));
    for (const description of ['one', 'two', 'three']) {
      await write('4913', text('npc', description));
      await rename(join(dir, 'npc.schema.json'), join(dir, 'npc.schema.json~'));
      await rename(join(dir, '4913'), join(dir, 'npc.schema.json'));
      await eventually(() => expect(folder.catalog.schemas.get('npc')?.description).toBe(description));
    }
    expect(heard).toEqual([['npc'], ['npc'], ['npc']]);
    expect(warnings).toEqual([]);
  });

  test('saving the same content again changes nothing', async () => {
    await write('npc.schema.json', text('npc'));
    const folder = await open(options);
    const heard = vi.fn();
    folder.onChange(heard);
    await write('npc.schema.json', `${text('npc')}\n`);
    await aWhile();
    expect(heard).not.toHaveBeenCalled();
  });
});

test('if the folder disappears, the schemas stay in force until it is back', async () => {
  await write('npc.schema.json', text('npc'));
  const folder = await open({ pollInterval: 50 });
  await rename(dir, `${dir}-moved`);
  await eventually(() => expect(warnings).toHaveLength(1));
  expect(warnings[0]).toMatch(/cannot be read: ENOENT.*; the loaded schemas are kept$/);
  expect(folder.catalog.problems).toMatchObject([{ file: dir }]);
  expect(typesOf(folder)).toEqual(['npc']);

  await rename(`${dir}-moved`, dir);
  await write('town.schema.json', text('town'));
  await eventually(() => expect(typesOf(folder)).toEqual(['npc', 'town']));
  expect(folder.catalog.problems).toEqual([]);
  expect(warnings).toHaveLength(1);
});

test('a failing listener does not stop others, and a removed one is not called', async () => {
  const folder = await open({ pollInterval: 50 });
  const heard = vi.fn();
  const stopped = vi.fn();
  folder.onChange(() => {
    throw new Error('no');
  });
  folder.onChange(heard);
  folder.onChange(stopped)();
  await write('npc.schema.json', text('npc'));
  await eventually(() => expect(heard).toHaveBeenCalledTimes(1));
  expect(stopped).not.toHaveBeenCalled();
  expect(warnings.at(-1)).toBe('A schema change listener failed: no');
});

test('a closed folder hears nothing more', async () => {
  const folder = await open({ pollInterval: 50 });
  const heard = vi.fn();
  folder.onChange(heard);
  await folder.close();
  await write('npc.schema.json', text('npc'));
  await aWhile();
  expect(heard).not.toHaveBeenCalled();
  expect(typesOf(folder)).toEqual([]);
});
