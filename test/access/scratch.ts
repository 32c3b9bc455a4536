import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/** A folder of its own for each test. */
export function useFolder(): (name: string) => string {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-access-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

/** Warnings, and where they are collected. */
export function collectWarnings(): { readonly warn: (message: string) => void; readonly said: string[] } {
  const said: string[] = [];
  return { warn: (message) => said.push(message), said };
}
