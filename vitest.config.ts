import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => {
  // For the global setup, which runs here, and for the workers.
  if (mode === 'full') process.env['TRELLIS_TEST_FULL'] = '1';
  return {
    test: {
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      globalSetup: ['test/postgres/support/global-setup.ts'],
      // Most of the time is waiting, for disks, databases and child processes: more workers than cores keep these busy.
      maxWorkers: 3,
      // Generous, since a test that is cut off leaves others to fail over what it had in use; a machine may be busy.
      testTimeout: 120_000,
      hookTimeout: 60_000,
    },
  };
});
