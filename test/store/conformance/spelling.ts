import { describe, expect, test } from 'vitest';
import type { Props } from '../../../src/model/json.js';
import type { Writer } from '../../../src/store/writer.js';
import { author, main, type StoreContext } from './context.js';

async function put(writer: Writer, type: string, name: string, props?: Props): Promise<number> {
  const [identity] = await writer.addIdentities([{ type, name }]);
  const id = identity?.node ?? 0;
  await writer.putNodes([{ id, type, name, ...(props === undefined ? {} : { props }) }]);
  return id;
}

/** Nodes are found by how their names are spelt. */
export function spellingConformance(context: StoreContext): void {
  describe('nodes spelt alike', () => {
    const like = (name: string, type = 'person', limit = 10) =>
      context.store.read(main, async (reader) =>
        (await reader.nodesSpeltLike(type, name, limit)).map((node) => node.name),
      );
    const write = (work: (writer: Writer) => Promise<void>) => context.store.write(main, author, work);

    test('are found among those of the type that have properties', async () => {
      await write(async (writer) => {
        await put(writer, 'person', 'Katharina', { age: 1 });
        await put(writer, 'person', 'KATHARINA', { age: 2 });
        await put(writer, 'cat', 'Katarina', { age: 3 });
        await put(writer, 'person', 'Katerina');
        await put(writer, 'person', 'Robert', { age: 4 });
      });
      expect(await like('katherina')).toEqual(['Katharina', 'KATHARINA']);
      expect(await like('Katharyna', 'dog')).toEqual([]);
      expect(await like('!!!')).toEqual([]);
    });

    test('are found once a node gets properties, and no more once it is gone', async () => {
      let id = 0;
      await write(async (writer) => {
        id = await put(writer, 'person', 'Katharina');
      });
      await write((writer) =>
        writer.putNodes([{ id, type: 'person', name: 'Katharina', props: { age: 1 } }]),
      );
      expect(await like('Katherina')).toEqual(['Katharina']);
      await write(async (writer) => {
        await writer.removeNodes([id]);
      });
      expect(await like('Katherina')).toEqual([]);
    });

    test('are not all read if there are many', async () => {
      await write(async (writer) => {
        for (let n = 0; n < 50; n += 1) await put(writer, 'person', `Kat${'.'.repeat(n)}harina`, { n });
      });
      expect((await like('katharina', 'person', 3)).length).toBeLessThanOrEqual(21);
    });
  });
}
