import { describe, expect, test } from 'vitest';
import { scratchStore, storeKinds } from '../helpers/stores.js';
import { contentOf, emptyStore, fixture, importInto } from './imported.js';

const fixtures = [
  ...['claude.json', 'chatgpt.json', 'claude-code.jsonl', 'codex.jsonl', 'mem0.json', 'openmemory.json'],
  ...['letta.af', 'letta-v0.af', 'claude-mem.json', 'mcp-memory-service.json', 'mempalace'],
];

describe.each(storeKinds)('on $kind', (kind) => {
  test('every format is imported as anywhere else, also after the store was opened again', async () => {
    const expected = await emptyStore();
    const scratch = await scratchStore(kind);
    try {
      for (const name of fixtures)
        for (const store of [expected, scratch.store]) await importInto(store, fixture(name));
      expect(await contentOf(scratch.store)).toEqual(await contentOf(expected));
      await scratch.reopen();
      for (const name of fixtures) await importInto(scratch.store, fixture(name));
      expect(await contentOf(scratch.store)).toEqual(await contentOf(expected));
    } finally {
      await scratch.dispose();
    }
  });
});
