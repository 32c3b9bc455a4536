import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { modules, sourceOf } from './modules.js';

/** What occurs more than once among [name, place], with its places. */
function repeated(places: readonly (readonly [name: string, place: string])[]): Record<string, string[]> {
  const byName: Record<string, string[]> = {};
  for (const [name, place] of places) byName[name] = [...(byName[name] ?? []), place];
  return Object.fromEntries(Object.entries(byName).filter(([, found]) => found.length > 1));
}

test('no two exported types share a name', () => {
  // compat/ has the names of the packages that it stands in for.
  const ours = modules.filter((module) => !module.startsWith('compat/'));
  const types = ours.flatMap((module) =>
    Array.from(
      sourceOf(module).matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm),
      ([, name = '']) => [name, module] as const,
    ),
  );
  expect(types.length).toBeGreaterThan(300);
  expect(repeated(types)).toEqual({});
});

test('no two files share a name, so that a search by name finds one', () => {
  const files = modules.map((module) => [basename(module), module] as const);
  expect(repeated(files.filter(([name]) => name !== 'index.ts'))).toEqual({});
});
