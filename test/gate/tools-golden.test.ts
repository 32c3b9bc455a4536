import { expect, test } from 'vitest';
import { visibleTools } from '../../src/surfaces/surface-registry.js';
import { expectSurfaceOnRecord } from '../helpers/golden.js';
import { surfaceOn, tester } from '../helpers/surfaces.js';

test('the tools and instructions agents see are the ones on record', () => expectSurfaceOnRecord('gate'));

test('whoever may write through the gate, and nothing else, sees its three tools and nothing of the memory', async () => {
  const gateOnly = (permissions: readonly { action: string }[]) =>
    permissions.every(({ action }) => action === 'gate_write');
  const names = async (surface: string) =>
    visibleTools({ surface: await surfaceOn(surface), actor: tester, may: gateOnly }).map(({ name }) => name);
  expect(await names('gate')).toEqual(['write_node', 'write_relationship', 'refresh_schema_cache']);
  expect(await names('memory')).toEqual([]);
});
