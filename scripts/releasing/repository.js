// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Why there is no release, in words for whoever wanted one. */
export class Refusal extends Error {}

/**
 * Runs a program in the working directory, and returns what it prints.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {string}
 */
export function run(program, ...args) {
  // npm is a script on Windows, which only a shell can start.
  const shell = program === 'npm' && process.platform === 'win32';
  const options = { shell, maxBuffer: 1 << 28, encoding: /** @type {const} */ ('utf8') };
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (status === 0) return stdout;
  throw new Refusal(`\`${[program, ...args].join(' ')}\` failed.\n${error?.message ?? stdout + stderr}`);
}

/** @returns {string} */
export function packageVersion() {
  return JSON.parse(readFileSync('package.json', 'utf8')).version;
}
