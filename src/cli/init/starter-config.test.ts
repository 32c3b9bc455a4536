import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allKeys } from '../../config/file/config-keys.js';
import { parseConfig } from '../../config/file/parse-config.js';
import { packageFile } from '../../file/package-files.js';
import { surfaceNames } from '../../surfaces/surface-registry.js';

const starterConfig = readFileSync(packageFile('assets/trellis.yaml'), 'utf8');

/** A line that is a setting behind a #, rather than a sentence. */
const setting = /^#( *)([a-z_]+:.*)$/;
const lines = starterConfig.split('\n');
const settings = lines.flatMap((line, index) => (setting.test(line) ? [index] : []));

/** The file with the # taken away from these lines. */
function uncommented(indexes: readonly number[]): string {
  return lines.map((line, index) => (indexes.includes(index) ? line.slice(1) : line)).join('\n');
}

/** A key, with the names that the file gives as examples. */
const named = (key: string) =>
  key
    .replace('graphs.<name>', 'graphs.work')
    .replace('queries.<name>', 'queries.find_user')
    .replace('servers.<name>', 'servers.team');

const indentOf = (index: number) => setting.exec(lines[index] ?? '')?.[1]?.length ?? 0;

/** The settings that a setting lies in. */
function above(index: number): number[] {
  const parent = settings.findLast((other) => other < index && indentOf(other) < indentOf(index));
  return parent === undefined ? [] : [...above(parent), parent];
}

test('names every surface', () => {
  expect(starterConfig).toContain(`one of: ${surfaceNames.join(', ')}.`);
});

test('as it is, it says nothing', () => {
  expect(parseConfig(starterConfig, 'trellis.yaml').content).toEqual({});
});

test.each(settings.map((index) => [lines[index]?.slice(1).trim(), index] as const))(
  'with the # taken away from %s, and from what it lies in, it is valid',
  (_, index) => {
    expect(parseConfig(uncommented([...above(index), index]), 'trellis.yaml').content).not.toEqual({});
  },
);

test('with every # taken away it is valid, and holds every key that there is', () => {
  const { content, lineOf } = parseConfig(uncommented(settings), 'trellis.yaml');
  expect(content.graphs?.['work']).toBeDefined();
  const missing = allKeys()
    // What a graph may say about the gate, it says as above.
    .filter((key) => !/^graphs\.<name>\.gate\./.test(key))
    // Instead of a file of tokens; and what an issuer seldom needs. A comment leads to both.
    .filter((key) => key !== 'auth.tokens.env' && !key.startsWith('auth.oidc.'))
    // Other ways to say the same of a server, and one that is refused.
    .filter((key) => !/^servers\.<name>\.(url|auth\.token\.command|auth\.oauth)$/.test(key))
    .filter((key) => lineOf(named(key).split('.')) === 1);
  expect(missing).toEqual([]);
});
