// @ts-check
// Joins the explorer (web/) into few files that a browser loads: `npm run build`. Their names contain a hash of their
// content, so browsers may keep them forever; only index.html has a fixed name.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {import('rolldown')} bundler
 * @param {string} root The folder of the project.
 * @param {string} folder Where the files go; everything else in it is deleted.
 */
export async function bundleExplorer({ rolldown }, root, folder) {
  const web = join(root, 'web');
  const assets = join(folder, 'assets');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(assets, { recursive: true });
  const worker = await build('views/graph/layout-worker.ts', {});
  const page = await build('main.tsx', { LAYOUT_WORKER: JSON.stringify(`./${entryOf(worker)}`) });
  const style = hashed('explorer', 'css', joinedStyles(join(web, 'styles')));
  const icon = hashed('icon', 'svg', readFileSync(join(web, 'icon.svg'), 'utf8'));
  const html = readFileSync(join(web, 'index.html'), 'utf8')
    .replace('{{script}}', `assets/${entryOf(page)}`)
    .replace('{{style}}', `assets/${style}`)
    .replace('{{icon}}', `assets/${icon}`);
  writeFileSync(join(folder, 'index.html'), html);
  return [...worker, ...page];

  /**
   * @param {string} input
   * @param {Record<string, string>} define
   */
  async function build(input, define) {
    const bundling = await rolldown({
      cwd: root,
      input: join(web, input),
      platform: 'browser',
      tsconfig: join(web, 'tsconfig.json'),
      transform: { define },
      onLog(level, log) {
        if (level === 'warn') throw new Error(log.message);
      },
    });
    const names = { entryFileNames: '[name]-[hash].js', chunkFileNames: '[name]-[hash].js' };
    const { output } = await bundling.write({ dir: assets, format: 'esm', minify: true, ...names });
    await bundling.close();
    return output;
  }

  /**
   * @param {string} name
   * @param {string} extension
   * @param {string} text
   */
  function hashed(name, extension, text) {
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8);
    const file = `${name}-${hash}.${extension}`;
    writeFileSync(join(assets, file), text);
    return file;
  }
}

/** @param {import('rolldown').RolldownOutput['output']} output */
function entryOf(output) {
  return output[0].fileName;
}

/**
 * All style sheets in the order of their names, without comments and indentation.
 * @param {string} folder
 * @param {...string} others More of them.
 */
export function joinedStyles(folder, ...others) {
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'));
  const files = [...sheets.sort().map((name) => join(folder, name)), ...others];
  return files
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '\n');
}
