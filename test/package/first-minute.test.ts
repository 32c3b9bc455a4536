import { expect, test } from 'vitest';
import { firstMinute } from '../../scripts/packaging/first-minute.js';
import { full } from '../helpers/full.js';

const mostBytes = 60e6;

test.runIf(full)('from nothing to remembered, with npx, in an installation below 60 MB', async () => {
  const { dryRun, entry, answer, fact, installedBytes } = await firstMinute(() => undefined);
  expect(dryRun).toContain('+');
  expect(entry).toMatchObject({ command: 'npx', args: ['-y', 'trellis-memory', 'stdio'] });
  expect(answer.structuredContent).toEqual({ entities: [fact], relations: [] });
  expect(installedBytes).toBeLessThan(mostBytes);
});
