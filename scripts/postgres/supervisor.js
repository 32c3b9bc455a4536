// The process that owns one PostgreSQL server: `node supervisor.js CHROOT [URL]`, started by `startChild`. With a URL, the
// server is a replica of that one.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serveParent } from './child.js';
import { makeCluster } from './cluster.js';
import { ServerProcess } from './server-process.js';

const [chroot, primary] = process.argv.slice(2);
const started = { cluster: undefined, server: undefined };

await serveParent({
  async start() {
    const cluster = await makeCluster(chroot, primary);
    started.cluster = cluster;
    started.server = new ServerProcess(chroot, cluster);
    const port = await started.server.startOnFreePort();
    const version = (await readFile(join(chroot, cluster.data, 'PG_VERSION'), 'utf8')).trim();
    return {
      url: `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`,
      port,
      version,
      certificate: join(chroot, cluster.certificate),
      log: join(chroot, cluster.log),
    };
  },
  commands: {
    kill: () => started.server.kill(),
    restart: () => started.server.restart(),
  },
  async stop() {
    await started.server?.stop();
    if (started.cluster) await rm(join(chroot, started.cluster.folder), { recursive: true, force: true });
  },
});
