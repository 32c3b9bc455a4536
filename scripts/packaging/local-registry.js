// @ts-check
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

/**
 * A package registry on this machine that has one package more than another one: `npx -y trellis-memory` then does what
 * it does once the package is published.
 * @param {{ archive: string, manifest: { name: string, version: string }, upstream: string }} options
 */
export async function startRegistry({ archive, manifest, upstream }) {
  const content = await readFile(archive);
  const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
  const { name, version } = manifest;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === `/${name}`) {
      const dist = { tarball: `${address()}/${name}.tgz`, integrity };
      response.setHeader('Content-Type', 'application/json');
      response.end(
        JSON.stringify({
          name,
          'dist-tags': { latest: version },
          versions: { [version]: { ...manifest, dist } },
        }),
      );
    } else if (path === `/${name}.tgz`) response.end(content);
    else response.writeHead(302, { Location: new URL(path, upstream).href }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function address() {
    const bound = server.address();
    if (bound === null || typeof bound === 'string') throw new Error('The registry has no port.');
    return `http://127.0.0.1:${bound.port}`;
  }
  return {
    address: address(),
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
