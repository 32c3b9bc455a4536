import { describe, inject, test } from 'vitest';
import { startServer } from '../../../scripts/postgres/choose.js';

const { kind, chroot, certificate } = inject('postgres');

/** A test that needs connections which run at the same time: PGlite has one session for all of them. */
export const testWithRealServer = test.skipIf(kind !== 'real');
export const describeWithRealServer = describe.skipIf(kind !== 'real');

/** A test that needs the server of the run to speak TLS, with a certificate that is known. */
export const testWithTls = test.skipIf(certificate === undefined);

/** A test that kills servers, and therefore starts its own. */
export const testWithOwnServer = test.skipIf(chroot === undefined);

/** A PostgreSQL that no other test sees. */
export interface OwnServer {
  /** Of the superuser, to the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** A file for `sslrootcert`; the certificate is for localhost and 127.0.0.1. */
  readonly certificate: string;
  /** The file the server logs to. */
  readonly log: string;
  /** SIGKILL to all its processes at once; done when they are gone. */
  kill(): Promise<void>;
  /** Back on the same port and data, after a kill or, if it runs, with one; done when it takes connections. */
  restart(): Promise<void>;
  /** Ends it and removes its data; happens by itself when this process ends. */
  stop(): Promise<void>;
}

/** Starts a server of one's own, in about a second; inside `testWithOwnServer` alone. */
export async function ownServer(): Promise<OwnServer> {
  if (chroot === undefined) throw new Error('no server to kill here; the test belongs in testWithOwnServer');
  return startServer(chroot);
}

/** Starts a replica of such a server. */
export async function replicaOf({ url }: OwnServer): Promise<OwnServer> {
  if (chroot === undefined) throw new Error('no server to kill here; the test belongs in testWithOwnServer');
  return startServer(chroot, url);
}

/** The file for `sslrootcert` with the certificate of the run's server; inside `testWithTls` alone. */
export function serverCertificate(): string {
  if (certificate === undefined) throw new Error('no certificate here; the test belongs in testWithTls');
  return certificate;
}
