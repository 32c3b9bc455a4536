// Two actors with different rights on one server: Ann's agent writes, a dashboard only reads.
import { call, connectOverHttp, createToken, serve, startIn, trellis } from '../trellis.js';

startIn(import.meta.url);

// A policy is tried before it is in force.
trellis('policy', 'check', 'policy.yaml', '--cases', 'cases.yaml');

const annsToken = createToken('--actor', 'ann', '--groups', 'team', '--expires', '30d');
const dashboardsToken = createToken('--actor', 'dashboard', '--expires', '30d');
const server = await serve('--config', 'trellis.yaml');
const work = `${server.origin}/graphs/work/memory/mcp`;

const ann = await connectOverHttp(work, annsToken);
console.log(`Ann's agent is shown ${(await ann.listTools()).tools.length} tools.`);
await call(ann, 'create_entities', {
  entities: [{ name: 'Release 2', entityType: 'milestone', observations: ['Due on 1 March'] }],
});

const dashboard = await connectOverHttp(work, dashboardsToken);
console.log(
  `The dashboard is shown ${(await dashboard.listTools()).tools.map(({ name }) => name).join(', ')}.`,
);
await call(dashboard, 'search_nodes', { query: 'march' });

// What it may not do looks like what does not exist.
const entities = [{ name: 'Release 3', entityType: 'milestone', observations: [] }];
const refused = await dashboard
  .callTool({ name: 'create_entities', arguments: { entities } })
  .catch((e) => e);
console.log(`The dashboard's create_entities: ${refused.message}`);
const headers = { Authorization: `Bearer ${annsToken}` };
for (const graph of ['work', 'notes', 'nothing']) {
  const { status } = await fetch(`${server.origin}/graphs/${graph}/branches`, { headers });
  console.log(`Ann asks for the graph ${graph}: ${status}`);
}
console.log();

await ann.close();
await dashboard.close();
await server.stop();

// Who wrote what is on record.
trellis('log', '--graph', 'work', '--config', 'trellis.yaml');
