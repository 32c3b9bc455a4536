import { TrellisError } from '../model/error.js';
import type { CypherQuery, CypherRow } from './cypher-connection.js';
import type { CypherDialect } from './cypher-dialect.js';
import { memgraphDialect } from './dialects/memgraph-dialect.js';
import { neo4jDialect } from './dialects/neo4j-dialect.js';

type Probe = (query: CypherQuery) => Promise<{ readonly rows: readonly CypherRow[]; readonly agent: string }>;

const oldestNeo4j = 5;

/** Which database answers a Bolt port. Throws `USAGE` if it is one that the gate cannot write to. */
export async function recognizeDialect(url: string, probe: Probe): Promise<CypherDialect> {
  const { agent } = await probe({ text: 'RETURN 1 AS one' });
  const dialect = /memgraph/i.test(agent) ? memgraphDialect : await recognizeNeo4j(url, probe);
  await checkQuoting(dialect, probe);
  await checkTimes(dialect, probe);
  return dialect;
}

async function recognizeNeo4j(url: string, probe: Probe): Promise<CypherDialect> {
  const components = await probe({
    text: 'CALL dbms.components() YIELD name, versions RETURN name, versions[0] AS version',
  }).catch(() => undefined);
  const kernel = components?.rows.find(({ name }) => name === 'Neo4j Kernel');
  // FalkorDB says in the handshake that it is Neo4j.
  if (kernel === undefined)
    throw new TrellisError('USAGE', `The database at ${url} is neither Neo4j nor Memgraph.`, {
      hint: 'If it is FalkorDB, use falkor://host:6379: its Bolt port puts values into the text of the query.',
    });
  if (Number.parseInt(String(kernel['version']), 10) < oldestNeo4j)
    throw new TrellisError('USAGE', `The database at ${url} is Neo4j ${String(kernel['version'])}.`, {
      hint: `The gate needs Neo4j ${oldestNeo4j} or newer.`,
    });
  return neo4jDialect;
}

const hardNames = ['a b', '}) //', 'é\u2028', 'x\\y', 'x`y', '\\u0060', '\\u005Cu0060'];

/** A name that the server reads as anything but itself could be Cypher. */
async function checkQuoting(dialect: CypherDialect, probe: Probe): Promise<void> {
  const names = hardNames.filter((name) => dialect.nameProblem(name) === undefined);
  const map = names.map((name, index) => `${dialect.quote(name)}: ${index}`).join(', ');
  const { rows } = await probe({ text: `RETURN {${map}} AS names` });
  const expected = Object.fromEntries(names.map((name, index) => [name, index]));
  const [row] = rows;
  if (sortedJson(row?.['names']) === sortedJson(expected)) return;
  throw new TrellisError('USAGE', `This ${dialect.title} reads quoted names differently than expected.`, {
    hint: 'The gate cannot keep names apart from Cypher there. Please report its version.',
  });
}

async function checkTimes({ timestamp, title }: CypherDialect, probe: Probe): Promise<void> {
  const at = '2026-01-31T12:00:00.000Z';
  await probe({ text: `RETURN ${timestamp('$at')} AS at`, parameters: { at } }).catch((cause: unknown) => {
    throw new TrellisError('USAGE', `This ${title} has no datetime() with a zone.`, {
      hint: 'Use a newer version; Memgraph has it since 2.18.',
      cause,
    });
  });
}

function sortedJson(value: unknown): string {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
