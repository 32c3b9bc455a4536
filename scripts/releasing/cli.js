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
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        verify: { type: 'string' },
        notes: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    const [version, ...more] = positionals;
    if (values.help) return print(usage);
    if (values.notes !== undefined) return print(`${readNotes(versionOf(values.notes))}\n`);
    if (values.verify !== undefined) return verify(values.verify);
    if (version === undefined || more.length > 0) throw new Refusal(usage.trimEnd());
    release(version, { isDryRun: values['dry-run'], say: (line) => print(`${line}\n`) });
    return 0;
  } catch (error) {
    const isForPeople = error instanceof Refusal || error?.code?.startsWith('ERR_PARSE_ARGS');
    if (!isForPeople) throw error;
    process.stderr.write(`release: ${error.message}\n`);
    return 1;
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
