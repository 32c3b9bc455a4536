import { describe, expect, test } from 'vitest';
import type { MeshSchemaFile } from './folder/mesh-schema-file.js';
import { buildMeshCatalog, resolveCatalog } from './mesh-catalog.js';

/** A schema file, with a relationship to another type if one is named. */
function file(name: string, type: string, target?: string, description = 'x'): MeshSchemaFile {
  const relationship = target === undefined ? {} : { relationship: { edgeType: 'to', nodeType: target } };
  const properties = { place: { type: 'string', description: 'x', ...relationship } };
  return {
    file: `${name}.schema.json`,
    text: JSON.stringify({ name: `add_${type}`, description, properties }),
  };
}

function broken(name: string): MeshSchemaFile {
  return { file: `${name}.schema.json`, text: '{' };
}

describe('a catalog', () => {
  test('is in the order of the names of files, however they come', () => {
    const catalog = buildMeshCatalog([file('b', 'npc'), file('C', 'zoo'), file('a', 'town')]);
    expect([...catalog.schemas.keys()]).toEqual(['zoo', 'town', 'npc']);
    expect([...catalog.files]).toEqual([
      ['zoo', 'C.schema.json'],
      ['town', 'a.schema.json'],
      ['npc', 'b.schema.json'],
    ]);
    expect(catalog).toMatchObject({ warnings: [], problems: [] });
  });

  test('knows which relationships lead to types that it has', () => {
    const files = [file('npc', 'npc', 'town'), file('town', 'town', 'castle')];
    expect(buildMeshCatalog(files).warnings).toEqual([
      'town.schema.json: properties.place.relationship.nodeType is "castle", for which no schema is loaded',
    ]);
  });

  test('names both files whose tools would have the same names', () => {
    expect(buildMeshCatalog([file('b', 'npc'), file('a', 'npc')]).problems).toEqual([
      {
        file: 'b.schema.json',
        path: 'name',
        reason: expect.stringMatching(/^is "add_npc", which a\.schema\.json has too; rename one of them/),
      },
    ]);
  });

  test('has the problems of every file', () => {
    const files = [
      broken('b'),
      file('c', 'npc'),
      broken('a'),
      { file: 'd.schema.json', unreadable: 'is gone' },
    ];
    const catalog = buildMeshCatalog(files);
    expect(catalog.problems.map((problem) => problem.file)).toEqual([
      'a.schema.json',
      'b.schema.json',
      'd.schema.json',
    ]);
    expect([...catalog.schemas.keys()]).toEqual(['npc']);
  });
});

describe('when files change', () => {
  const { versions } = resolveCatalog([file('npc', 'npc'), file('town', 'town')], new Map());

  test('a good version replaces the one before', () => {
    const { catalog } = resolveCatalog(
      [file('npc', 'npc', undefined, 'new'), file('town', 'town')],
      versions,
    );
    expect(catalog.schemas.get('npc')?.description).toBe('new');
    expect(catalog.problems).toEqual([]);
  });

  test('a broken file keeps its last good version', () => {
    const { catalog } = resolveCatalog([broken('npc'), file('town', 'town')], versions);
    expect([...catalog.schemas.keys()]).toEqual(['npc', 'town']);
    expect(catalog.problems).toMatchObject([{ file: 'npc.schema.json' }]);
  });

  test('a file that is gone takes its type along', () => {
    expect([...resolveCatalog([file('town', 'town')], versions).catalog.schemas.keys()]).toEqual(['town']);
  });

  test('a renamed file keeps its type', () => {
    const { catalog } = resolveCatalog([file('character', 'npc'), file('town', 'town')], versions);
    expect(catalog.files.get('npc')).toBe('character.schema.json');
    expect(catalog.problems).toEqual([]);
  });

  test.each([
    ['a new file', [file('a', 'npc'), file('npc', 'npc'), file('town', 'town')], 'a.schema.json'],
    ['a changed file', [file('npc', 'npc'), file('town', 'npc')], 'town.schema.json'],
    [
      'a new file, while the other is broken',
      [file('a', 'npc'), broken('npc'), file('town', 'town')],
      'a.schema.json',
    ],
  ])('%s cannot take the type that another file has', (_, files, culprit) => {
    const { catalog } = resolveCatalog(files, versions);
    expect(catalog.problems.map((problem) => problem.file)).toContain(culprit);
    expect([...catalog.files]).toEqual([
      ['npc', 'npc.schema.json'],
      ['town', 'town.schema.json'],
    ]);
  });

  test('two files can swap their types', () => {
    const { catalog } = resolveCatalog([file('npc', 'town'), file('town', 'npc')], versions);
    expect([...catalog.files]).toEqual([
      ['town', 'npc.schema.json'],
      ['npc', 'town.schema.json'],
    ]);
    expect(catalog.problems).toEqual([]);
  });
});
