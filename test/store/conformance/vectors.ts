import { describe, expect, test } from 'vitest';
import type { PendingText } from '../../../src/store/vector-store.js';
import { main, type StoreContext } from './context.js';
import { put } from './graph-by-name.js';

const space = { model: 'm', perspective: '', dimension: 2 };

/** Texts wait for vectors until they have one of what they say. */
export function vectorsConformance(context: StoreContext): void {
  describe.runIf(context.kind.capabilities.branches)('vectors of texts', () => {
    test('are not stored if something was purged since the texts were read; the texts wait again', async () => {
      const { store, write } = context;
      const { vectors } = store;
      if (vectors === null) throw new Error('no vectors');
      const waiting = () => vectors.pending(main.graph, space, 100);
      const embed = (texts: readonly PendingText[]) => {
        const vector = Float32Array.of(0, 1);
        const made = texts.map(({ document, purges }) => ({ document, purges, vector }));
        return vectors.put(main.graph, space, made);
      };
      await write((writer) => put(writer, { nodes: { a: ['the secret word', 'another'] } }));
      const before = await waiting();
      await store.purge(main.graph, { text: 'secret' });
      await embed(before);
      const after = await waiting();
      expect(after.map(({ text }) => text)).toEqual(['a\nthing', 'the [purged] word', 'another']);
      await embed(after);
      expect(await waiting()).toEqual([]);
    });
  });
}
