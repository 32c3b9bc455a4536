// A memory of the reference memory server: used as it is, moved into a database, and taken back out.
import { copyFileSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { call, connectOverStdio, startIn, trellis } from '../trellis.js';

startIn(import.meta.url);

// 1. The same file, the same variable, another program.
copyFileSync('memory.jsonl', 'data/memory.jsonl');
const client = await connectOverStdio({ env: { MEMORY_FILE_PATH: resolve('data/memory.jsonl') } });
await call(client, 'search_nodes', { query: 'TypeScript' });
await call(client, 'add_observations', {
  observations: [{ entityName: 'Ada', contents: ['Lives in Lisbon'] }],
});
await client.close();
console.log('$ cat data/memory.jsonl');
console.log(readFileSync('data/memory.jsonl', 'utf8'));

// 2. When it grows: a database, with history and branches.
trellis('import', 'data/memory.jsonl', '--store', 'data/memory.db', '--dry-run');
trellis('import', 'data/memory.jsonl', '--store', 'data/memory.db');

// 3. The way back is always open.
trellis('export', 'data/back.jsonl', '--store', 'data/memory.db');
const isSame = readFileSync('data/back.jsonl', 'utf8') === readFileSync('data/memory.jsonl', 'utf8');
console.log(`The export is the file that was imported, byte for byte: ${isSame}`);
