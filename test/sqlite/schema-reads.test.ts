import { afterEach, expect, test, vi } from 'vitest';
import { SqliteConnection } from '../../src/store/sqlite/sqlite-connection.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { compileToySchema } from '../store/conformance/toy-schema.js';

const target = { graph: 'default' };
const author = { actor: 'ann', tool: 'test' };

afterEach(() => {
  vi.restoreAllMocks();
});

test('a write and a read fetch the schema of their graph once, however often it is needed', async () => {
  const store = await openInMemorySqliteStore({ compileGraphSchema: compileToySchema });
  try {
    await store.createGraph('default');
    await store.write(target, author, (writer) => writer.setSchema('only a'));
    const statements = vi.spyOn(SqliteConnection.prototype, 'all');
    const rows = vi.spyOn(SqliteConnection.prototype, 'rows');
    const fetched = () =>
      [...statements.mock.calls, ...rows.mock.calls].filter(([{ sql }]) => sql.includes('from graph_schema'));
    await store.write(target, author, async (writer) => {
      expect([await writer.schema(), await writer.schema()]).toEqual(['only a', 'only a']);
      await writer.derivedProperties();
    });
    expect(fetched()).toHaveLength(1);
    await store.read(target, async (reader) => {
      expect([await reader.schema(), await reader.schema()]).toEqual(['only a', 'only a']);
    });
    expect(fetched()).toHaveLength(2);
  } finally {
    await store.close();
  }
});
