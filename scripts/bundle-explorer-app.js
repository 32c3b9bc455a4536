// @ts-check
// Makes the explorer for chats (web/chat/) one document that loads nothing: `npm run build`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { joinedStyles } from './bundle-explorer.js';

/**
 * @param {import('rolldown')} bundler
 * @param {string} root The folder of the project.
 * @param {string} file The document.
 */
export async function bundleExplorerApp({ rolldown }, root, file) {
  const web = join(root, 'web');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bundling = await rolldown({
    cwd: root,
    input: join(web, 'chat/main.tsx'),
    platform: 'browser',
    tsconfig: join(web, 'tsconfig.json'),
    transform: { define: { APP_VERSION: JSON.stringify(version) } },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await bundling.generate({ format: 'esm', minify: true });
  await bundling.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error('The explorer for chats must be one script.');
  const style = joinedStyles(join(web, 'styles'), join(web, 'chat/chat.css'));
  const html = readFileSync(join(web, 'chat/chat.html'), 'utf8')
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script type="module">${inline(script.code)}</script>`);
  writeFileSync(file, html);
  return output;
}

/**
 * A script whose texts cannot end the element it is in.
 * @param {string} code
 */
function inline(code) {
  return code.replaceAll(/<(?=\/script|!--)/gi, '\\x3C');
}
