import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => {
  // For the global setup, which runs here, and for the workers.
  if (mode === 'full') process.env['TRELLIS_TEST_FULL'] = '1';
  return {
    test: {
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      globalSetup: ['test/postgres/support/global-setup.ts'],
      // A worker loads the modules once for all its files; state of a module is shared by them.
      isolate: false,
      // Most of the time is waiting, for disks, databases and child processes: more workers than cores keep these busy.
      maxWorkers: 3,
      // A machine may be busy: these end what hangs, and say nothing about speed.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 60_000 } },
    },
  };
});
