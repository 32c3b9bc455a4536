import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Graph } from '../../src/engine/graph.js';
import { formatNamed } from '../../src/import/formats.js';
import type { ImportItem } from '../../src/import/import-format.js';
import { openImportInput } from '../../src/import/import-input.js';
import { loadImport } from '../../src/import/load-import.js';
import { importItems } from '../../src/import/scan-import.js';
import { contentOf, emptyStore, fixture, folderOf, imported } from './imported.js';

const notes = Object.fromEntries(
  Array.from({ length: 20 }, (_, n) => [
    `N${n}.md`,
    `# N${n}\n\n- one\n- two\n\n[[N${(n * 7) % 20}]] [[Nobody]]\n`,
  ]),
);
const csv = `name,boss,notes\n${Array.from({ length: 20 }, (_, n) => `P${n},P${n + 1},"[""a"",""b""]"`).join('\n')}\n`;

test.each(['markdown', 'csv', 'claude-code', 'claude-mem'])(
  'an import of the kind %s that was interrupted anywhere is completed by repeating it',
  async (kind) => {
    const folder = await folderOf({ ...notes, 'people.csv': csv });
    const paths: Record<string, string> = {
      ...{ markdown: folder, csv: join(folder, 'people.csv') },
      ...{ 'claude-code': fixture('claude-code.jsonl'), 'claude-mem': fixture('claude-mem.json') },
    };
    const path = paths[kind] ?? folder;
    const whole = await imported(path, { from: kind });
    const input = await openImportInput(path, path);
    const options = { author: { actor: 'test', tool: 'import' }, batchItems: 2 };
    for (const end of [0, 1, 2, 3, 7, 30]) {
      const store = await emptyStore();
      const graph = new Graph(store, 'default');
      const read = () => importItems(formatNamed(kind), input);
      await expect(loadImport(graph, interrupted(read(), end), options)).rejects.toThrow('interrupted');
      await loadImport(graph, read(), options);
      expect({ kind, ...(await contentOf(store)) }).toEqual(whole);
    }
  },
);

async function* interrupted(items: AsyncIterable<ImportItem>, end: number): AsyncGenerator<ImportItem> {
  let count = 0;
  for await (const item of items) {
    if (count === end) break;
    count += 1;
    yield item;
  }
  throw new Error('interrupted');
}
