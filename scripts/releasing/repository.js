// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

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

/**
 * Raises the version wherever it is written: package.json, its lock, and the entry for the MCP registry.
 * @param {string} version
 */
export function setVersion(version) {
  run('npm', 'version', version, '--no-git-tag-version');
  const server = readFileSync('server.json', 'utf8');
  writeFileSync('server.json', server.replace(/("version": )"[^"]*"/g, `$1"${version}"`));
}
