// @ts-check
// More than the tests do by themselves: `npm run graph-databases -- --hostile 100000 --writes 2000 --database neo4j`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freshSeed } from '../../../bench/lib/random.js';

const { values } = parseArgs({
  options: {
    hostile: { type: 'string', default: '100000' },
    writes: { type: 'string', default: '2000' },
    database: { type: 'string', default: 'neo4j' },
    seed: { type: 'string' },
  },
});
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url));
const only = 'made to become|write the same';
const child = spawn(
  process.execPath,
  [vitest, 'run', `test/gate/${values.database}.test.ts`, '-t', only, '--testTimeout=7200000'],
  {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...process.env,
      TRELLIS_TEST_GRAPH_DATABASES: '1',
      TRELLIS_TEST_HOSTILE: values.hostile,
      TRELLIS_TEST_GATE_WRITES: values.writes,
      TRELLIS_TEST_SEED: values.seed ?? String(freshSeed()),
    },
  },
);
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
