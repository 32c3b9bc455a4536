import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Embedder } from '../embedders/embedder.js';
import { resolveSpaces } from './embedding-spaces.js';

const never = () => new Promise<never>(() => {});
const hanging: Embedder = {
  id: 'openai:hanging',
  perspectives: 'none',
  canShorten: false,
  batchSize: 1,
  meaningWeight: 1,
  dimension: never,
  embed: never,
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('an embedder that does not respond is given up, so that statistics can still be read', async () => {
  const resolved = vi.fn();
  void resolveSpaces({ embedder: hanging, perspectives: [{ name: 'general', instruction: '' }] }).then(
    resolved,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  expect(resolved).toHaveBeenCalledWith({
    known: false,
    reason: expect.objectContaining({ message: 'The embedder did not answer within 10 seconds.' }),
  });
});
