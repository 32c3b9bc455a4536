import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cliPath } from '../cli/run-cli.js';
import { deployed, freePort, has, startDeployed, stop, until } from './deployed-server.js';

const host = 'memory.example.com';
const ada = { name: 'Ada', entityType: 'person', observations: ['Plays chess'] };
let folder = '';
let server: Awaited<ReturnType<typeof startDeployed>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-proxies-'));
  server = await startDeployed({ folder, command: [process.execPath, cliPath] });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
}

/** Calls the proxy as a client does who knows the server by its name. */
function call(port: number, path: string, body?: object): Promise<Answer> {
  const headers = {
    ...{ Host: host, Authorization: `Bearer ${server.token}`, 'Content-Type': 'application/json' },
    Accept: body === undefined ? 'text/event-stream' : 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, path, headers, servername: host, rejectUnauthorized: false },
        method: body === undefined ? 'GET' : 'POST',
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
          // An event stream does not end; its first event must arrive all the same.
          if (text.includes('data:')) response.destroy();
        });
        response.on('close', () => resolve({ status: response.statusCode, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function expectToProxy(port: number): Promise<void> {
  await until(async () => expect((await call(port, '/healthz')).status).toBe(200));
  const params = { name: 'create_entities', arguments: { entities: [ada] } };
  const written = await call(port, '/graphs/work/memory/mcp', {
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  expect(written).toMatchObject({ status: 200, body: expect.stringContaining('structuredContent') });
  expect((await call(port, '/metrics')).status).toBe(404);
  expect((await call(port, '/graphs/work/changes')).body).toContain('"Ada"');
}

describe.skipIf(!has('nginx') || !has('openssl'))('nginx with deploy/nginx.conf', () => {
  test('passes calls and streams on over TLS, and hides the metrics', async () => {
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${host}`].concat([
        ...['-out', certificate, '-keyout', key],
      ]),
      { stdio: 'ignore' },
    );
    const [plain, secure] = [await freePort(), await freePort()];
    const site = await deployed('nginx.conf', {
      '127.0.0.1:8765': `127.0.0.1:${server.port}`,
      'listen 80;': `listen 127.0.0.1:${plain};`,
      'listen [::]:80;': '',
      'listen 443 ssl http2;': `listen 127.0.0.1:${secure} ssl http2;`,
      'listen [::]:443 ssl http2;': '',
      [`/etc/letsencrypt/live/${host}/fullchain.pem`]: certificate,
      [`/etc/letsencrypt/live/${host}/privkey.pem`]: key,
    });
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = temporary.map((name) => `${name}_temp_path ${folder};`).join('\n');
    const config = join(folder, 'main.conf');
    await writeFile(
      config,
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log;\nevents {}\nhttp { access_log off;\n${paths}\n${site} }\n`,
    );
    execFileSync('nginx', ['-t', '-p', folder, '-c', config], { stdio: 'ignore' });
    const nginx = spawn('nginx', ['-p', folder, '-c', config], { stdio: 'ignore' });
    try {
      await expectToProxy(secure);
    } finally {
      await stop(nginx);
    }
  });
});

describe.skipIf(!has('caddy'))('Caddy with deploy/Caddyfile', () => {
  const options = (config: string) => ['--config', config, '--adapter', 'caddyfile'];
  const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: folder, XDG_DATA_HOME: folder });

  test('the file is valid and formatted as it is', () => {
    execFileSync('caddy', ['validate', ...options('deploy/Caddyfile')], { env: env(), stdio: 'ignore' });
    execFileSync('caddy', ['fmt', 'deploy/Caddyfile'], { env: env(), stdio: 'ignore' });
  });

  test('passes calls and streams on over TLS, and hides the metrics', async () => {
    const secure = await freePort();
    // A certificate of its own instead of one from outside.
    const site = await deployed('Caddyfile', {
      [`${host} {`]: `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${host}:${secure} {\n\ttls internal`,
    });
    const config = join(folder, 'Caddyfile');
    await writeFile(config, site);
    const caddy = spawn('caddy', ['run', ...options(config)], {
      env: { ...env(), TRELLIS_UPSTREAM: `127.0.0.1:${server.port}` },
      stdio: 'ignore',
    });
    try {
      await expectToProxy(secure);
    } finally {
      await stop(caddy);
    }
  });
});
