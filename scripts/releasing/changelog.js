// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { Refusal } from './repository.js';

const file = 'CHANGELOG.md';

/**
 * The text under the heading of a version, such as `0.2.0` or `Unreleased`.
 * @param {string} version
 */
export function readNotes(version) {
  const parts = readFileSync(file, 'utf8').split(/^## /m);
  const part = parts.find((text) => text.split(/\s/, 1)[0] === version);
  if (part === undefined) throw new Refusal(`${file} has no section "## ${version}".`);
  const notes = part.slice(part.indexOf('\n')).trim();
  if (!/^- /m.test(notes)) throw new Refusal(`${file} lists nothing under "## ${version}".`);
  return notes;
}

/**
 * Turns what is unreleased into a version, and leaves an empty section for what comes next.
 * @param {string} version
 * @param {string} date
 */
export function closeUnreleased(version, date) {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`));
}
