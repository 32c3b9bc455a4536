import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KeptConnection } from '../../../src/cypher/cypher-access.js';
import { CypherError } from '../../../src/cypher/cypher-connection.js';
import { callLines, toolAnswer, useSandbox } from '../../cli/run-cli.js';
import { hasOpenssl, openTlsFront, type TlsFront } from '../databases/tls-front.js';
import { nodesOf, person, registerPeople } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import type { GraphDatabase } from '../graph-database.js';

/** The addresses with TLS, in front of the same server. */
export function encryption(kind: GateKind): void {
  describe.skipIf(!hasOpenssl())(`encryption, on ${kind.kind}`, () => {
    const sandbox = useSandbox();
    const scheme = kind.kind === 'falkordb' ? 'falkors' : 'bolt+s';
    const database = (): GraphDatabase => kind.database?.() ?? expect.fail('This is about graph databases.');
    let front: TlsFront;
    const at = (given: string, host = 'localhost') => `${given}://${host}:${front.port}`;

    beforeAll(async () => {
      front = await openTlsFront(new URL((database().settings.target ?? '').replace(/^\w+:/, 'http:')));
    });
    afterAll(() => front.close());

    async function oneAt(url: string): Promise<unknown> {
      const access = new KeptConnection({ url });
      try {
        return await access.use((connection) => connection.run({ text: 'RETURN 1 AS one' }));
      } finally {
        await access.close();
      }
    }

    test.skipIf(kind.kind === 'falkordb')('bolt+ssc:// accepts any certificate', async () => {
      expect(await oneAt(at('bolt+ssc'))).toEqual([{ one: 1 }]);
    });

    test('a certificate that nobody vouches for is refused at once, with the way out', async () => {
      const refused = await oneAt(at(scheme)).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(CypherError);
      expect(refused).toMatchObject({
        failure: 'unavailable',
        message: expect.stringMatching(/certificate.*SELF.SIGNED.*NODE_EXTRA_CA_CERTS/i),
      });
    });

    test('an address without TLS does not reach a server that has only TLS', async () => {
      await expect(oneAt(at(kind.kind === 'falkordb' ? 'falkor' : 'bolt'))).rejects.toThrow();
    });

    test('the gate starts, rejects writes with the reason, and writes once the certificate is trusted', async () => {
      await database().clear();
      await registerPeople(database());
      const write = async (environment: Record<string, string>, host?: string) => {
        const { stdout, stderr } = await sandbox.runProcess(
          ['stdio', '--surface', 'gate', '--target', at(scheme, host), '--store', 'a.db'],
          environment,
          callLines('write_node', person('Alice')),
        );
        return { answer: toolAnswer(stdout) ?? expect.fail(stdout + stderr), stderr };
      };
      const trusted = { NODE_EXTRA_CA_CERTS: front.certificate };
      const untrusted = await write({});
      expect(untrusted.answer).toMatchObject({ error_code: 'SCHEMA_SOURCE_UNAVAILABLE' });
      expect(untrusted.stderr).toContain('NODE_EXTRA_CA_CERTS');
      expect(await nodesOf(database())).toEqual([]);
      // The certificate is for localhost.
      expect((await write(trusted, '127.0.0.1')).answer).toMatchObject({ status: 'rejected' });
      expect((await write(trusted)).answer).toMatchObject({ status: 'written' });
      expect((await nodesOf(database())).map(({ name }) => name)).toEqual(['Alice']);
    });
  });
}
