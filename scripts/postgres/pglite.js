// The process that owns one PGlite behind a port: `node pglite.js`, started by `startChild`.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite/vector';
import { PGLiteSocketHandler } from '@electric-sql/pglite-socket';
import { serveParent } from './child.js';
import { Turns } from './turns.js';

const tlsRequest = 80877103;
const library = import.meta.resolve('@electric-sql/pglite');

await serveParent({
  async start() {
    const database = await openDatabase();
    const port = await listen(new Turns(database));
    const { rows } = await database.query('show server_version');
    return {
      url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
      port,
      version: rows[0].server_version,
    };
  },
  commands: {},
  async stop() {},
});

function listen(turns) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    greet(socket, () => new PGLiteSocketHandler({ queryQueue: turns, closeOnDetach: true }).attach(socket));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server.address().port));
  });
}

/** Says no to a client that would like TLS, which it otherwise would wait for without end. */
function greet(socket, ready) {
  socket.once('data', (first) => {
    if (first.length === 8 && first.readInt32BE(4) === tlsRequest) {
      socket.write('N');
      return greet(socket, ready);
    }
    ready();
    socket.emit('data', first);
  });
}

/** Making the first data folder takes some seconds, loading a copy of it half of one; so the copy is kept. */
async function openDatabase() {
  const { version } = JSON.parse(await readFile(new URL('../package.json', library), 'utf8'));
  const kept = new URL(`../../node_modules/.cache/trellis/pglite-${version}.tar`, import.meta.url);
  const extensions = { vector, pg_trgm };
  const copy = await readFile(kept).catch(() => undefined);
  if (copy) return PGlite.create({ extensions, loadDataDir: new Blob([copy]) });

  const database = await PGlite.create({ extensions });
  const dump = await database.dumpDataDir('none');
  // Renamed into place, as others may be doing the same; where nothing can be kept, each start takes its time.
  const draft = new URL(`${kept.href}.${process.pid}`);
  await mkdir(new URL('./', kept), { recursive: true })
    .then(async () => writeFile(draft, Buffer.from(await dump.arrayBuffer())))
    .then(() => rename(draft, kept))
    .catch(() => {});
  return database;
}
