// @ts-check
import { parseArgs } from 'node:util';
import { readNotes } from './changelog.js';
import { checkPackage } from './package-contents.js';
import { release } from './release.js';
import { packageVersion, Refusal } from './repository.js';

const usage = `Usage: scripts/release <version | major | minor | patch> [--dry-run]
       scripts/release --verify <tag>
       scripts/release --notes <tag>

Makes a release: checks the tree, the changelog, the code and the contents of the package, then
commits the new version and tags it. Nothing is pushed or published. --dry-run changes nothing.
--verify checks a tag before it is published, and --notes prints its part of the changelog.
`;

/**
 * @param {readonly string[]} args
 * @returns {number} the exit code
 */
export function main(args) {
  try {
    const { values, positionals } = parse([...args]);
    const [version, ...more] = positionals;
    if (values.help) return print(usage);
    if (values.notes !== undefined) return print(`${readNotes(versionOf(values.notes))}\n`);
    if (values.verify !== undefined) return verify(values.verify);
    if (version === undefined || more.length > 0) throw new Refusal(usage.trimEnd());
    release(version, { isDryRun: values['dry-run'], say: (line) => print(`${line}\n`) });
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`release: ${error.message}\n`);
    return 1;
  }
}

/** @param {string[]} args */
function parse(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const text = /** @type {const} */ ({ type: 'string' });
  const options = { 'dry-run': flag, help: flag, verify: text, notes: text };
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw error instanceof Error ? new Refusal(error.message) : error;
  }
}

/** @param {string} tag */
function verify(tag) {
  const version = versionOf(tag);
  if (packageVersion() !== version)
    throw new Refusal(`the tag is ${tag}, and package.json has version ${packageVersion()}.`);
  readNotes(version);
  return print(`${tag}: ${checkPackage()}\n`);
}

/** @param {string} tag */
function versionOf(tag) {
  return tag.replace(/^v/, '');
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return 0;
}
