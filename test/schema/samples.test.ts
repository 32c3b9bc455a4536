import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { exampleCall } from '../../src/schema/mesh/arguments/example-call.js';
import { readMeshSchemaFolder } from '../../src/schema/mesh/folder/read-mesh-schema-folder.js';
import { buildMeshCatalog } from '../../src/schema/mesh/mesh-catalog.js';
import { draftMeshNode } from '../../src/schema/mesh/mesh-node-draft.js';
import { sampleFolder, sampleSets } from '../../src/schema/mesh/mesh-schema-samples.js';
import { estimateTokens, listMeshTools } from '../../src/schema/mesh/mesh-tool-list.js';
import { parseAddArguments } from '../../src/schema/mesh/parse-mesh-arguments.js';

const catalogs = await Promise.all(
  sampleSets.map(async (set) => ({
    set,
    catalog: buildMeshCatalog((await readMeshSchemaFolder(sampleFolder(set))).files),
  })),
);

describe.each(catalogs)('the $set schemas', ({ catalog }) => {
  const schemas = [...catalog.schemas.values()];

  test('have no problem and give no warning', () => {
    expect(catalog).toMatchObject({ problems: [], warnings: [] });
    expect(schemas.length).toBeGreaterThan(6);
  });

  test('are named like their files', () => {
    for (const [type, file] of catalog.files) expect(file).toBe(`${type}.schema.json`);
  });

  test.each(schemas.map((schema) => [schema.type, schema] as const))(
    '%s can be added as its example says',
    (_, schema) => {
      const args = parseAddArguments(schema, JSON.parse(exampleCall(schema, 'add')));
      expect(draftMeshNode(schema, args).node.name).toBe('a name');
    },
  );

  test('leave an agent room to think', () => {
    expect(estimateTokens(schemas.flatMap(listMeshTools))).toBeLessThan(8_000);
  });
});

test('seed 13: the eleven schemas with their properties and relationships', () => {
  const schemas = catalogs
    .filter(({ set }) => set === 'rpg')
    .flatMap(({ catalog }) => [...catalog.schemas.values()]);
  const shape = schemas.map(({ type, properties }) => [
    type,
    properties.map(({ name }) => name),
    properties.flatMap(({ name, relationship }) =>
      relationship ? [`${name} → ${relationship.edgeType}`] : [],
    ),
  ]);
  const seed = [
    ['npc', ['name', 'role', 'status', 'description', 'traits'], ['currentLocation → located_in']],
    ['location', ['name', 'atmosphere', 'region'], ['parentLocation → contained_in']],
    ['artifact', ['name', 'rarity', 'properties'], ['owner → owned_by']],
    ['quest', ['name', 'status', 'objectives', 'rewards'], ['location → takes_place_in']],
    ['faction', ['name', 'alignment', 'goals'], ['headquarters → based_in']],
    ['player_character', ['name', 'class', 'level', 'stats'], ['currentLocation → located_in']],
    ['inventory', ['name', 'contents', 'capacity'], ['owner → belongs_to']],
    ['skills', ['name', 'type', 'level', 'effects'], []],
    ['currency', ['name', 'denomination', 'value'], []],
    ['transportation', ['name', 'type', 'speed'], ['owner → owned_by']],
    ['temporal', ['name', 'timestamp', 'event'], ['location → occurred_at']],
  ] as const;
  expect(shape).toHaveLength(seed.length);
  for (const [type, names, relationships] of seed) {
    expect(shape).toContainEqual([type, expect.arrayContaining([...names]), [...relationships]]);
  }
});

test('they ship with the package', async () => {
  const { files } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(files).toContain('schemas');
});

test('following a folder does not keep a process alive', async () => {
  const module = new URL('../../dist/schema/mesh/mesh-schema-folder.js', import.meta.url).href;
  const script = `const { openMeshSchemaFolder } = await import(${JSON.stringify(module)});
    const folder = await openMeshSchemaFolder(${JSON.stringify(sampleFolder('work'))}, { warn: console.error });
    console.log(folder.catalog.schemas.size);`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 120_000,
  });
  await expect(run).resolves.toMatchObject({ stdout: '7\n', stderr: '' });
});
