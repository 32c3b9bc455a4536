// @ts-check
// In how many source files at least one function runs during a call: the five calls that docs/architecture.md describes.
// Each call is made twice; the second one counts, from request to response. `--functions` lists the functions that ran,
// `--only TOOL` makes one of the calls, `--dist FOLDER` runs another build. Fails if a step of the page did not run.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withScratch } from './lib/scratch.js';
import { table } from './lib/table.js';
import { traceHttp, traceStdio } from './lib/traced-server.js';

const { values } = parseArgs({
  options: {
    dist: { type: 'string', default: fileURLToPath(new URL('../dist', import.meta.url)) },
    only: { type: 'string' },
    functions: { type: 'boolean', default: false },
  },
});
const dist = resolve(values.dist);
const token = 'a-token-that-is-long-enough-for-a-bench';
const hire = 'query hire($name: String) { insert Person { name: $name, age: 36 } }';

/** @type {Record<string, (cwd: string) => Promise<import('./lib/traced-server.js').Call[]>>} */
const calls = {
  create_entities: (cwd) =>
    inServer(traceStdio({ dist, cwd }), 'create_entities', (turn) => ({
      entities: [{ name: `Ada ${turn}`, entityType: 'person', observations: ['Wrote the first program'] }],
    })),
  async search_nodes(cwd) {
    const rule = '{ id: read, allow: { actors: { actor: ada }, actions: [read, change] } }';
    await writeFile(join(cwd, 'tokens.json'), JSON.stringify({ ada: token }), { mode: 0o600 });
    await writeFile(join(cwd, 'policy.yaml'), `version: 1\nrules: [${rule}]\n`);
    await writeFile(
      join(cwd, 'trellis.yaml'),
      'auth: { tokens: { file: tokens.json } }\npolicy: { file: policy.yaml }\n',
    );
    const server = traceHttp({ dist, cwd, path: '/graphs/default/workspace/mcp', token });
    return inServer(
      server,
      'search_nodes',
      () => ({ query: 'program' }),
      async ({ call }, turn) => {
        const entities = [
          { name: `Ada ${turn}`, entity_type: 'person', observations: ['Wrote the first program'] },
        ];
        await call('create_entities', { entities });
      },
    );
  },
  query: (cwd) =>
    onGraph(cwd, 'query', () => ({
      source: 'query of_age($least: I32) { match { $p: Person  $p.age >= $least } return { $p.name } }',
      params: { least: 18 },
    })),
  async write_node(cwd) {
    await writeFile(join(cwd, 'gate.yaml'), 'nodes: [{ label: Person, required_properties: [name] }]\n');
    const args = ['--surface', 'gate', '--gate-schema', 'gate.yaml'];
    return inServer(traceStdio({ dist, cwd, args }), 'write_node', (turn) => ({
      label: 'Person',
      merge_keys: { name: `Ada ${turn}` },
      properties: {},
      source: 'https://example.org/team',
      extraction_method: 'api',
    }));
  },
  branches_merge: (cwd) =>
    onGraph(
      cwd,
      'branches_merge',
      (turn) => ({ source: `review-${turn}` }),
      async ({ call }, turn) => {
        await call('branches_create', { name: `review-${turn}` });
        await call('mutate', { source: hire, params: { name: `Ada ${turn}` }, branch: `review-${turn}` });
        await call('mutate', { source: hire, params: { name: `Bob ${turn}` } });
      },
    ),
};

const page = await readFile(new URL('../docs/architecture.md', import.meta.url), 'utf8');
const rows = [];
for (const [name, trace] of Object.entries(calls)) {
  if (values.only !== undefined && values.only !== name) continue;
  const called = await withScratch(trace);
  rows.push([name, `${new Set(called.map(({ file }) => file)).size}`, `${called.length}`]);
  for (const step of stepsThatDidNotRun(name, called)) {
    console.error(`${name}: ${step} did not run.`);
    process.exitCode = 1;
  }
  if (values.functions) console.log(`${name}\n${list(called)}\n`);
}
console.log(table(['call', 'files', 'functions'], rows));

/**
 * @param {Promise<import('./lib/traced-server.js').TracedServer>} starting
 * @param {string} tool
 * @param {(turn: number) => object} args
 * @param {(server: import('./lib/traced-server.js').TracedServer, turn: number) => Promise<void>} [prepare]
 */
async function inServer(starting, tool, args, prepare) {
  const server = await starting;
  try {
    await prepare?.(server, 1);
    await server.call(tool, args(1));
    await prepare?.(server, 2);
    return await server.trace(tool, args(2));
  } finally {
    await server.stop();
  }
}

/**
 * On a graph with a schema.
 * @param {string} cwd
 * @param {string} tool
 * @param {(turn: number) => object} args
 * @param {(server: import('./lib/traced-server.js').TracedServer, turn: number) => Promise<void>} [prepare]
 */
function onGraph(cwd, tool, args, prepare) {
  const server = traceStdio({ dist, cwd, args: ['--surface', 'graph'] });
  return inServer(server, tool, args, async (started, turn) => {
    if (turn === 1) {
      await started.call('schema_apply', { schema: 'node Person { name: String @key  age: I32 }' });
      await started.call('mutate', { source: hire, params: { name: 'Ada' } });
    }
    await prepare?.(started, turn);
  });
}

/** @param {readonly import('./lib/traced-server.js').Call[]} called */
function list(called) {
  const files = new Map(called.map(({ file }) => [file, called.filter((one) => one.file === file)]));
  return [...files]
    .map(([file, functions]) => `  ${file}: ${functions.map(({ name }) => name || '(anonymous)').join(', ')}`)
    .join('\n');
}

/**
 * A function without a name counts as any function of its file.
 * @param {string} tool
 * @param {readonly import('./lib/traced-server.js').Call[]} called
 */
function stepsThatDidNotRun(tool, called) {
  const section = page.split(/^### /m).find((part) => part.split('\n', 1)[0]?.includes(`\`${tool}\``)) ?? '';
  const steps = [...section.matchAll(/^\d+\. `([^`]+)` — `([^`]+)`/gm)];
  return steps
    .filter(([, step = '', file]) => {
      const name = step.split('.').at(-1) ?? '';
      return !called.some((one) => one.file === file && ['', name].includes(one.name.replace('get ', '')));
    })
    .map(([, step]) => step);
}
