import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { probePaths } from '../../src/server/http/health-routes.js';
import { deployed, has } from './deployed-server.js';

const dockerfile = await deployed('Dockerfile');

async function withFile<T>(name: string, text: string, use: (file: string) => T): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-deploy-'));
  try {
    await writeFile(join(folder, name), text);
    return use(join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.skipIf(!has('systemd-analyze'))('systemd accepts the unit, and rates its exposure as low', async () => {
  // Where Node is depends on the machine.
  const unit = await deployed('trellis.service', { '/usr/bin/node': process.execPath });
  await withFile('trellis.service', unit, (file) => {
    const options = { encoding: 'utf8', stdio: 'pipe' } as const;
    expect(execFileSync('systemd-analyze', ['verify', '--man=no', file], options)).toBe('');
    execFileSync('systemd-analyze', ['security', '--offline=yes', '--threshold=20', file], options);
  });
});

test.skipIf(!has('promtool'))('Prometheus accepts the alerts', () => {
  execFileSync('promtool', ['check', 'rules', 'deploy/alerts.yaml'], { stdio: 'pipe' });
});

test.skipIf(!has('kubernetes-validate'))('the Kubernetes manifest matches the schemas of Kubernetes', () => {
  execFileSync('kubernetes-validate', ['--strict', 'deploy/kubernetes.yaml'], { stdio: 'pipe' });
});

const serviceShape = z.strictObject({
  build: z.strictObject({ context: z.literal('..'), dockerfile: z.literal('deploy/Dockerfile') }).optional(),
  image: z.string(),
  environment: z.record(z.string(), z.string()),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  read_only: z.literal(true).optional(),
  tmpfs: z.array(z.string()).optional(),
  cap_drop: z.tuple([z.literal('ALL')]).optional(),
  security_opt: z.array(z.string()).optional(),
  healthcheck: z.strictObject({ test: z.array(z.string()), interval: z.string() }).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  restart: z.literal('unless-stopped'),
});
const composeShape = z.strictObject({
  name: z.string(),
  services: z.strictObject({ trellis: serviceShape, db: serviceShape, caddy: serviceShape }),
  volumes: z.record(z.string(), z.null()),
});

test('compose.yaml starts Trellis without rights, mounts files that exist, and waits for what is healthy', async () => {
  const { services, volumes } = composeShape.parse(parse(await deployed('compose.yaml')));
  expect(services.trellis).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  for (const mount of Object.values(services).flatMap((service) => service.volumes)) {
    const [source = ''] = mount.split(':');
    if (source.startsWith('./')) await deployed(source);
    else expect(Object.keys(volumes)).toContain(source);
  }
  const awaited = Object.values(services).flatMap((service) => Object.keys(service.depends_on ?? {}));
  expect(awaited.toSorted()).toEqual(['db', 'trellis']);
  expect(services.db.healthcheck).toBeDefined();
  expect(dockerfile).toContain('HEALTHCHECK');
});

test('the Kubernetes manifest has the configuration of the other ways, and probes routes that exist', async () => {
  const text = await deployed('kubernetes.yaml');
  const documents = parseAllDocuments(text).map((document) => document.toJS());
  const { data } = documents.find(({ kind }) => kind === 'ConfigMap');
  const config = parse(await deployed('trellis.yaml'));
  const tokens = { tokens: { file: '/etc/trellis-tokens/tokens.json' } };
  expect(parse(data['trellis.yaml'])).toEqual({ ...config, auth: tokens });
  expect(parse(data['policy.yaml'])).toEqual(parse(await deployed('policy.yaml')));
  const probed = Array.from(text.matchAll(/httpGet: \{ path: ([^,]+),/g), ([, path = '']) => path);
  expect(probed).toHaveLength(3);
  expect(probed.filter((path) => !probePaths.has(path))).toEqual([]);
});
