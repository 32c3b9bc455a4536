import { statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { generateParsers } from './scripts/generate-parsers.js';
import { SlowFirst } from './test/helpers/slow-first.js';

const memory = '/dev/shm';
const enoughBytes = 2_000_000_000;

export default defineConfig(({ mode }) => {
  generateParsers();
  // For the global setup, which runs here, and for the workers.
  if (mode === 'full') process.env['TRELLIS_TEST_FULL'] = '1';
  // Thousands of small databases wait for the disk; npm test keeps them in memory where there is room.
  else if (process.env['TMPDIR'] === undefined && freeBytes(memory) > enoughBytes)
    process.env['TMPDIR'] = memory;
  return {
    test: {
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      globalSetup: ['test/postgres/support/global-setup.ts'],
      setupFiles: ['test/postgres/support/check-statements.ts'],
      // A worker loads the modules once for all its files; state of a module is shared by them.
      isolate: false,
      // Most of the time is waiting, for disks, databases and child processes: more workers than cores keep these busy.
      maxWorkers: 3,
      sequence: { sequencer: SlowFirst },
      // A machine may be busy: these end what hangs, and say nothing about speed.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 60_000 } },
    },
  };
});

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
