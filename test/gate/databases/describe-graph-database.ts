import { afterAll, beforeAll, describe, test } from 'vitest';
import { full } from '../../helpers/full.js';
import { graphDatabaseKind } from '../gate-kinds.js';
import { GraphDatabase } from '../graph-database.js';
import { commands } from '../suites/commands.js';
import { conflicts, similarNodes } from '../suites/conflicts.js';
import { derivation } from '../suites/derivation.js';
import { encryption } from '../suites/encryption.js';
import { evidence } from '../suites/evidence.js';
import { hostileNames } from '../suites/hostile-names.js';
import { invariants } from '../suites/invariants.js';
import { manyGates } from '../suites/many-gates.js';
import { merging } from '../suites/merging.js';
import { onDatabase } from '../suites/on-a-database.js';
import { publishing } from '../suites/publishing.js';
import { rejections } from '../suites/rejections.js';
import { seedMatrix } from '../suites/seed-matrix.js';

export interface DatabaseServer {
  start(): Promise<string>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** How to start a server, or why that is impossible here. */
export type PreparedDatabase =
  | { readonly create: () => DatabaseServer; readonly missing?: undefined }
  | { readonly missing: string };

/** Runs the suite of the gate, and more, on a real server, which only the full run starts. */
export async function describeGraphDatabase(
  kind: string,
  prepare: () => Promise<PreparedDatabase>,
): Promise<void> {
  const isWanted = full || process.env['TRELLIS_TEST_GRAPH_DATABASES'] !== undefined;
  const prepared = isWanted ? await prepare() : { missing: 'only npm run test:full starts it' };
  if (prepared.missing !== undefined) {
    test.skip(`the gate on ${kind}: ${prepared.missing}`, () => {});
    return;
  }
  const server = prepared.create();
  let database: GraphDatabase | undefined;
  const on = graphDatabaseKind(kind, () => {
    if (database === undefined) throw new Error(`${kind} has not been started.`);
    return database;
  });
  describe(`the gate on ${kind}`, () => {
    beforeAll(async () => {
      database = new GraphDatabase(await server.start());
    });
    afterAll(async () => {
      await database?.close();
      await server.stop();
    });
    for (const suite of [
      seedMatrix,
      rejections,
      conflicts,
      similarNodes,
      merging,
      evidence,
      derivation,
      invariants,
      onDatabase,
      publishing,
      commands,
      encryption,
      hostileNames,
    ])
      suite(on);
    manyGates(on, server);
  });
}
