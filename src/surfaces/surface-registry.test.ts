import { expect, test } from 'vitest';
import { surfaceOn } from '../../test/helpers/surfaces.js';
import { localActor } from '../access/actor.js';
import { allowAll } from '../access/permission.js';
import { memorySurface } from './memory/memory-surface.js';
import { checkSurfaceName, findTool, surfaceNames, visibleTools } from './surface-registry.js';

const actor = localActor();

test('a surface is opened by its name', async () => {
  for (const name of surfaceNames) expect((await surfaceOn(name)).name).toBe(name);
});

test('an unknown surface is an error that names the known ones', () => {
  expect(() => checkSurfaceName('__proto__')).toThrow(/no surface named "__proto__"/);
});

test('the list of tools is always the same', () => {
  expect(visibleTools({ surface: memorySurface, actor, may: allowAll })).toEqual(memorySurface.tools);
  expect(visibleTools({ surface: memorySurface, actor, may: allowAll })).toEqual(
    visibleTools({ surface: memorySurface, actor, may: allowAll }),
  );
});

test('who may only read sees the tools that only read, and no others', () => {
  const mayRead = (permissions: readonly { action: string }[]) =>
    permissions.every(({ action }) => action === 'read');
  expect(visibleTools({ surface: memorySurface, actor, may: mayRead }).map(({ name }) => name)).toEqual([
    'read_graph',
    'search_nodes',
    'open_nodes',
  ]);
  expect(findTool({ surface: memorySurface, actor, may: mayRead }, 'create_entities')).toBeUndefined();
  expect(findTool({ surface: memorySurface, actor, may: mayRead }, 'open_nodes')?.name).toBe('open_nodes');
});

test('what a tool is said to do is what it is allowed to do', () => {
  for (const { annotations, permissions } of memorySurface.tools) {
    expect(permissions()).toEqual([{ action: annotations.readOnlyHint ? 'read' : 'change' }]);
  }
});
