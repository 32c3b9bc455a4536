import neo4j from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prepareNeo4j } from '../../scripts/graph-databases/neo4j.js';
import { KeptConnection } from '../../src/cypher/cypher-access.js';
import { full } from '../helpers/full.js';
import type { DatabaseServer } from './databases/describe-graph-database.js';

const isWanted = full || process.env['TRELLIS_TEST_GRAPH_DATABASES'] !== undefined;
const prepared = isWanted ? await prepareNeo4j() : { missing: 'only npm run test:full starts it' };

describe.skipIf(prepared.missing !== undefined)('a Neo4j that wants a password', () => {
  let server: DatabaseServer | undefined;
  let address = '';
  const password = 'correct horse battery staple';

  beforeAll(async () => {
    if (!('create' in prepared) || prepared.create === undefined) return;
    server = prepared.create({ login: true });
    address = (await server.start()).replace('bolt://', '');
    const driver = neo4j.driver(`bolt://${address}`, neo4j.auth.basic('neo4j', 'neo4j'));
    await driver
      .executeQuery(
        'ALTER CURRENT USER SET PASSWORD FROM $old TO $new',
        { old: 'neo4j', new: password },
        { database: 'system' },
      )
      .finally(() => driver.close());
  });
  afterAll(() => server?.stop());

  async function oneAt(url: string, login: { user?: string; password?: string }): Promise<unknown> {
    const access = new KeptConnection({ url, ...login });
    try {
      return await access.use((connection) => connection.run({ text: 'RETURN 1 AS one' }));
    } finally {
      await access.close();
    }
  }

  test.each(['bolt', 'neo4j'])('%s:// with the password is let in', async (scheme) => {
    expect(await oneAt(`${scheme}://${address}`, { user: 'neo4j', password })).toEqual([{ one: 1 }]);
  });

  test.each([
    ['a wrong password', { user: 'neo4j', password: 'guess' }],
    ['no password', {}],
  ])('%s is refused at once, with a reason and without the password', async (_, login) => {
    const refused = await oneAt(`bolt://${address}`, login).then(
      () => 'let in',
      (error: unknown) => String(error),
    );
    expect(refused).toMatch(/unauthori[sz]ed|authentication|credentials/i);
    expect(refused).not.toContain('guess');
  });
});
