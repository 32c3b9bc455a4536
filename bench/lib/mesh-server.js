// @ts-check
// The mesh surface over stdio, on a store and with a folder of schemas: what a client starts.
import { serveStdio } from '../../dist/server/stdio.js';
import { openStore } from '../../dist/store/open.js';

const [path = '', schemas] = process.argv.slice(2);
const store = await openStore(path);
if ((await store.graphs()).length === 0) await store.createGraph('default');
await serveStdio({ store, surface: 'mesh', settings: () => ({ schemas }) });
await store.close();
