// A working day: is it healthy, is it backed up, and how does a leaked password get out of every version?
import { writeFileSync } from 'node:fs';
import { call, connectOverHttp, serve, startIn, trellis } from '../trellis.js';

startIn(import.meta.url);
const config = ['--config', 'trellis.yaml'];
const server = await serve(...config);

const health = await fetch(`${server.origin}/healthz`);
console.log(`GET /healthz: ${health.status} ${(await health.json()).status}\n`);

// An agent stores what it should not.
const client = await connectOverHttp(`${server.origin}/graphs/support/memory/mcp`);
await call(client, 'create_entities', {
  entities: [{ name: 'mail server', entityType: 'host', observations: ['The password is hunter2'] }],
});
await client.close();
const metrics = await (await fetch(`${server.origin}/metrics`)).text();
console.log(`GET /metrics: ${metrics.match(/^trellis_tool_calls_total.*$/m)?.[0]}\n`);

// A backup is taken while the server runs, and checked.
trellis('backup', 'data/backup.db', ...config);

// Purging rewrites every version of everything, so count first. Standard input keeps secrets out of the shell history.
writeFileSync('data/secret.txt', 'hunter2');
trellis('purge', '--dry-run', '--graph', 'support', ...config, '<', 'data/secret.txt');
trellis('purge', '--graph', 'support', ...config, '<', 'data/secret.txt');
await server.stop();
trellis('export', '--graph', 'support', ...config);

// The old backup still holds the secret.
trellis('backup', 'data/backup.db', '--force', ...config);
