// @ts-check
// More than the test does by itself: `npm run fuzz -- --grammar pg --runs 100000 --seed 1`.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freshSeed } from '../../bench/lib/random.js';

const { values } = parseArgs({
  options: {
    grammar: { type: 'string' },
    runs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
  },
});
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
const child = spawn(process.execPath, [vitest, 'run', 'test/language/fuzz.test.ts'], {
  cwd: fileURLToPath(new URL('../..', import.meta.url)),
  stdio: 'inherit',
  env: {
    ...process.env,
    TRELLIS_TEST_FUZZ: values.runs,
    TRELLIS_TEST_GRAMMAR: values.grammar ?? '',
    TRELLIS_TEST_SEED: values.seed ?? String(freshSeed()),
  },
});
child.once('close', (code) => {
  process.exitCode = code ?? 1;
});
