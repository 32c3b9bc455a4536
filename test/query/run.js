// @ts-check
// More than the test does by itself: `npm run queries -- --runs 20000 --seed 1`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freshSeed } from '../../bench/lib/random.js';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(
  process.execPath,
  [vitest, 'run', 'test/query/generated.test.ts', 'test/query/language.test.ts'],
  {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...process.env,
      TRELLIS_TEST_QUERIES: values.runs,
      TRELLIS_TEST_SEED: values.seed ?? String(freshSeed()),
    },
  },
);
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
