// @ts-check
import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Packs the package as npm would publish it, from a copy, because a release build replaces files that programs started
 * from this checkout still need.
 * @param {string} folder where to put the copy and the package
 * @returns {Promise<string>} the path of the package
 */
export async function packCopy(folder) {
  const source = join(folder, 'source');
  await copyCheckout(source);
  const { stdout } = await execute('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: source,
    maxBuffer: 1 << 28,
  });
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}

/**
 * A copy of what git has or would add, which shares the installed packages.
 * @param {string} target
 */
export async function copyCheckout(target) {
  const listing = await execute('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of listing.stdout.split('\0').filter((name) => name !== '')) {
    await mkdir(dirname(join(target, file)), { recursive: true });
    await cp(join(root, file), join(target, file));
  }
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'), 'junction');
}
