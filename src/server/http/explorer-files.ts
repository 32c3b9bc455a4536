import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Context, Hono } from 'hono';
import { packageFile } from '../../file/package-files.js';
import { rpcError } from './http-errors.js';
import type { Env } from './middleware.js';

interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly tag: string;
}

const folder = packageFile('dist/bundle/web/');
const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Only what the package brings runs, and it talks to this server only. */
const contentPolicy = [
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'",
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "require-trusted-types-for 'script'; trusted-types trellis-worker",
].join('; ');

/** The explorer at `/`. It holds no data, so it needs no token; what it shows it fetches from the other routes. */
export function mountExplorer(app: Hono<Env>): void {
  let loading: Promise<ReadonlyMap<string, PageFile>> | undefined;
  const respond = async (context: Context<Env>, name: string, caching: string) => {
    // All at once, so that a page never mixes two builds.
    loading ??= loadFiles();
    const file = (await loading).get(name);
    if (file === undefined) {
      const message = name === 'index.html' ? 'The explorer was not built.' : 'There is no such file.';
      return context.json(rpcError(message), 404);
    }
    return sendFile(context, name, file, caching);
  };
  app.get('/', (context) => respond(context, 'index.html', 'no-cache'));
  // Their names change with their content.
  app.get('/assets/:name', (context) =>
    respond(context, `assets/${context.req.param('name')}`, 'public, max-age=31536000, immutable'),
  );
}

function sendFile(context: Context<Env>, name: string, file: PageFile, caching: string): Response {
  const takesGzip = /\bgzip\b/.test(context.req.header('accept-encoding') ?? '');
  const headers = {
    'Content-Type': types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
    'Cache-Control': caching,
    ETag: file.tag,
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': contentPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
  if (context.req.header('if-none-match') === file.tag) return context.body(null, 304, headers);
  if (!takesGzip) return context.body(file.bytes, 200, headers);
  return context.body(file.gzipped, 200, { ...headers, 'Content-Encoding': 'gzip' });
}

/** None where the bundler did not run. */
async function loadFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.map((name) => name.replaceAll('\\', '/')).filter((name) => /\.\w+$/.test(name));
  return new Map(await Promise.all(files.map(async (name) => [name, await loadFile(name)] as const)));
}

async function loadFile(name: string): Promise<PageFile> {
  const bytes = new Uint8Array(await readFile(new URL(name, folder)));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
  return { bytes, gzipped: new Uint8Array(gzipSync(bytes)), tag: `W/"${hash}"` };
}
