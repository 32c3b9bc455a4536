import { execFileSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { scratchFolder } from '../../helpers/stores.js';

/** TLS in front of a server that has none, with a certificate that nobody trusts. */
export interface TlsFront {
  readonly port: number;
  /** The file of the certificate, which is for `localhost`. */
  readonly certificate: string;
  close(): Promise<void>;
}

export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export async function openTlsFront(address: URL): Promise<TlsFront> {
  const folder = await scratchFolder();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost', '-out', certificate, '-keyout', key],
    ],
    { stdio: 'ignore' },
  );
  const sockets = new Set<Socket>();
  const server = createServer({ cert: await readFile(certificate), key: await readFile(key) }, (secured) => {
    const plain = connect(Number(address.port), address.hostname);
    for (const [from, to] of [
      [secured, plain],
      [plain, secured],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    certificate,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
