import { expect, test, vi } from 'vitest';
import { ApplicationManager, EventEmitter } from '../../src/compat/memorymesh.js';
import { emptyStore } from '../helpers/surfaces.js';

const node = { name: 'a', nodeType: 'thing', metadata: [] };
const later = () => new Promise((resolve) => setTimeout(resolve, 5));

test('trust 15: a before listener that answers a promise is awaited, and can veto', async () => {
  const app = new ApplicationManager(await emptyStore());
  const heard: string[] = [];
  const stop = app.on('beforeAddNodes', async () => {
    await later();
    heard.push('before');
    throw new Error('not today');
  });
  await expect(app.addNodes([node])).rejects.toThrow('not today');
  expect((await app.readGraph()).nodes).toEqual([]);
  stop();
  app.on('beforeAddNodes', async () => {
    await later();
    heard.push('done');
  });
  await app.addNodes([node]);
  expect(heard).toEqual(['before', 'done']);
  expect((await app.readGraph()).nodes).toEqual([node]);
});

test('trust 15: an after listener that rejects is logged, and nothing else happens', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const app = new ApplicationManager(await emptyStore());
  app.on('afterAddNodes', async () => {
    await later();
    throw new Error('too late');
  });
  await app.addNodes([node]);
  const emitter = new EventEmitter();
  emitter.on('something', async () => {
    throw new Error('nobody waits');
  });
  expect(emitter.emit('something')).toBe(true);
  await expect.poll(() => said.mock.calls.join()).toContain('a listener of afterAddNodes failed: too late');
  expect(said.mock.calls.join()).toContain('a listener of something failed: nobody waits');
  said.mockRestore();
  expect((await app.readGraph()).nodes).toEqual([node]);
});
