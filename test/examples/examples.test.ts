import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const execute = promisify(execFile);
const entries = await readdir('examples', { withFileTypes: true });
const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
let checkout = '';

// A checkout of its own, so that nothing is written to this one.
beforeAll(async () => {
  checkout = await realpath(await mkdtemp(join(tmpdir(), 'trellis-examples-')));
  const isKept = (path: string) => basename(path) !== 'data';
  await cp('examples', join(checkout, 'examples'), { recursive: true, filter: isKept });
  await cp('package.json', join(checkout, 'package.json'));
  for (const name of ['dist', 'node_modules']) await symlink(resolve(name), join(checkout, name), 'junction');
});
afterAll(() => rm(checkout, { recursive: true, force: true }));

/** What an example prints, with what differs from run to run replaced by what a reader may expect there. */
async function outputOf(name: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(checkout, 'home') };
  const script = join('examples', name, 'run.js');
  const { stdout, stderr } = await execute(process.execPath, [script], { cwd: checkout, env });
  expect(stderr).toBe('');
  return stdout
    .replaceAll(checkout, '/path/to/trellis')
    .replace(/\/path\/to\/trellis\S*/g, (path) => path.replaceAll('\\', '/'))
    .replace(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, '01M7M1KFFMH613RED7HB9NDX26')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-11-17T06:02:43.572Z')
    .replace(/\b\d+ bytes\b/g, '225280 bytes')
    .trimEnd();
}

describe.each(names)('the example %s', (name) => {
  test('prints what its README shows', async () => {
    const path = join('examples', name, 'README.md');
    const command = `\`\`\`sh\nnode examples/${name}/run.js\n\`\`\`\n`;
    const [before, after] = (await readFile(path, 'utf8')).split(command);
    const rest = after?.replace(/^\n```\n(.*?\n)?```\n/s, '');
    const output = await outputOf(name);
    const howToUpdate =
      'If the new output is meant: npx vitest run test/examples --update, and commit the diff';
    await expect(`${before}${command}\n\`\`\`\n${output}\n\`\`\`\n${rest}`, howToUpdate).toMatchFileSnapshot(
      resolve(path),
    );
  });

  test('is in the table of examples', async () => {
    expect(await readFile('examples/README.md', 'utf8')).toContain(`| [${name}](${name}/README.md) |`);
  });
});
