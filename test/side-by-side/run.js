// @ts-check
// More than the test does by itself: `npm run side-by-side -- --calls 2000 --seed 1`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freshSeed } from '../../bench/lib/random.js';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '2000' }, seed: { type: 'string' } },
});
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', 'test/side-by-side'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  stdio: 'inherit',
  env: {
    ...process.env,
    TRELLIS_TEST_CALLS: values.calls,
    TRELLIS_TEST_SEED: values.seed ?? String(freshSeed()),
  },
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
