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

const versioned = [
  'server.json',
  'plugins/claude-code/.claude-plugin/plugin.json',
  'plugins/gemini-cli/gemini-extension.json',
];

/** @returns {string} */
export function packageVersion() {
  return JSON.parse(readFileSync('package.json', 'utf8')).version;
}

/**
 * Raises the version wherever it is written: package.json, its lock, the entry for the MCP registry, and plugins.
 * @param {string} version
 */
export function setVersion(version) {
  run('npm', 'version', version, '--no-git-tag-version');
  for (const file of versioned) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/("version": )"[^"]*"/g, `$1"${version}"`));
  }
}
