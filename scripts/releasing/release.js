// @ts-check
import { closeUnreleased, readNotes } from './changelog.js';
import { checkPackage } from './package-contents.js';
import { packageVersion, Refusal, run, setVersion } from './repository.js';

const parts = ['major', 'minor', 'patch'];

/**
 * Checks everything first, then writes, so that a refused release leaves nothing to clean up.
 * @param {string} wanted a version, or the part of the current one to raise
 * @param {{ isDryRun: boolean, say: (line: string) => void }} options
 */
export function release(wanted, { isDryRun, say }) {
  const current = packageVersion();
  const version = nextVersion(current, wanted);
  const tag = `v${version}`;
  refuseUnlessReady(tag);
  const notes = readNotes('Unreleased');
  say(`${current} -> ${version}, changelog entries: ${notes.match(/^- /gm)?.length}`);
  run('npm', 'run', 'check');
  say('The check passed.');
  run('npm', 'test');
  say('The tests passed.');
  say(`The package: ${checkPackage()}.`);
  if (isDryRun)
    return say(`Nothing was changed. Without --dry-run: commit "Release ${version}", tag ${tag}.`);

  setVersion(version);
  closeUnreleased(version, new Date().toISOString().slice(0, 10));
  run('git', 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', tag, '--message', `Release ${version}\n\n${notes.replace(/^#+ /gm, '')}`);
  say(`Committed and tagged ${tag}. To publish: git push origin main ${tag}`);
}

/** @param {string} tag */
function refuseUnlessReady(tag) {
  const branch = run('git', 'branch', '--show-current').trim();
  if (branch !== 'main')
    throw new Refusal(`releases are made on main, and this is ${branch || 'no branch'}.`);
  const changed = run('git', 'status', '--porcelain').trimEnd();
  if (changed !== '') throw new Refusal(`the working tree is not clean:\n${changed}`);
  if (run('git', 'tag', '--list', tag).trim() !== '') throw new Refusal(`the tag ${tag} exists already.`);
}

/**
 * @param {string} current
 * @param {string} wanted
 */
function nextVersion(current, wanted) {
  const now = numbersOf(current);
  const raised = parts.indexOf(wanted);
  if (raised !== -1)
    return now
      .map((number, index) => (index < raised ? number : index === raised ? number + 1 : 0))
      .join('.');
  const next = numbersOf(wanted);
  const first = next.findIndex((number, index) => number !== now[index]);
  if (first === -1 || next[first] < now[first])
    throw new Refusal(`${wanted} is not newer than ${current}, the version in package.json.`);
  return wanted;
}

/** @param {string} version */
function numbersOf(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Refusal(`"${version}" is not a version. Give one such as 1.2.3, or major, minor or patch.`);
  return version.split('.').map(Number);
}
