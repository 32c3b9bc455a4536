import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAccessControl } from '../../src/access/access-control.js';
import { InFlight } from '../../src/bounds/in-flight.js';
import { buildApp } from '../../src/server/http/app.js';
import { DenialLog } from '../../src/server/http/denial-log.js';
import { Endpoints } from '../../src/server/http/endpoints.js';
import { GraphAdmin } from '../../src/server/http/graph-admin.js';
import { type HttpServer, startHttpServer } from '../../src/server/http/http-server.js';
import { BufferedBytes } from '../../src/server/http/limits/buffered-bytes.js';
import { OpenStreams } from '../../src/server/http/limits/open-streams.js';
import { defaultLimits } from '../../src/server/http/limits/server-limits.js';
import { Metrics } from '../../src/server/http/metrics.js';
import { openApiDocument } from '../../src/server/http/openapi/openapi-document.js';
import { openApiPath } from '../../src/server/http/openapi/openapi-operation.js';
import { SseSessions } from '../../src/server/http/sse-sessions.js';
import { silentLogger } from '../../src/server/logger.js';
import { entity } from '../helpers/memory-tools.js';
import { type Scratch, scratchStore, sqlite } from '../helpers/stores.js';
import { callBody, rpcHeaders } from './helpers.js';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<string, { readonly schema: object }>;
  };
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: object }> }>;
}
interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: {
      readonly Error: { readonly properties: { readonly error: { readonly properties: object } } };
    };
  };
}

let scratch: Scratch;
let server: HttpServer;
let document: Document;

beforeAll(async () => {
  scratch = await scratchStore(sqlite);
  server = await startHttpServer({ store: scratch.store, port: 0 });
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
});
afterAll(async () => {
  await server.close();
  await scratch.dispose();
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

test('is sound OpenAPI 3.1', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(await new Validator().validate({ ...structuredClone(document) })).toMatchObject({ valid: true });
});

test('describes exactly the routes that are mounted', () => {
  const calls = new InFlight();
  const access = localAccessControl();
  const { store } = scratch;
  const report = () => {};
  const unsent = new BufferedBytes();
  const metrics = new Metrics(() => ({ calls: 0, writes: 0, unsent: 0 }));
  const denials = new DenialLog(access, () => {});
  const endpoints = new Endpoints({
    ...{ store, access, report, root: 'server' as const, readMs: 1, listeners: 1 },
    ...{ onCall: report, committed: report, onRefused: report, denials },
  });
  const app = buildApp({
    ...{
      store,
      access,
      endpoints,
      metrics,
      report,
      log: silentLogger,
      limits: defaultLimits,
      state: { stopping: false },
    },
    admin: new GraphAdmin({ store, access, denials, changed: async () => {} }),
    sse: new SseSessions({ report, unsent, limits: defaultLimits, requireGraph: async () => {} }),
    ...{ calls, unsent, streams: new OpenStreams({ limits: defaultLimits, metrics }) },
    publicUrlOf: () => undefined,
  });
  const mounted = app.routes
    // The explorer is a page, not a route for programs.
    .filter(({ method, path }) => method !== 'ALL' && path !== '/' && !path.startsWith('/assets/'))
    .map(({ method, path }) => `${method} ${openApiPath(path)}`);
  const described = operations().map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(described.sort()).toEqual([...new Set(mounted)].sort());
});

test('every operation has a name of its own, and every part of its path a parameter', () => {
  const ids = operations().map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations()) {
    const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path');
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
});

test('every REST operation says how it is refused, and no schema points out of the document', () => {
  for (const { path, method, operation } of operations()) {
    if (!path.startsWith('/graphs') || path.endsWith('/mcp')) continue;
    expect(Object.keys(operation.responses), `${method} ${path}`).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '409']),
    );
  }
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
  expect([...new Set(references)].sort()).toEqual([
    '#/components/schemas/Error',
    '#/components/schemas/RpcError',
    '#/components/schemas/RpcMessage',
  ]);
});

test('tells where the server is reached, and nothing of what it holds', () => {
  expect(openApiDocument('https://memory.example.com')).toMatchObject({
    servers: [{ url: 'https://memory.example.com' }],
  });
  expect(document.servers).toEqual([{ url: '/' }]);
  expect(JSON.stringify(document)).not.toContain(scratch.path);
});

describe('what is answered is what is described:', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  async function check(method: string, path: string, template: string, body?: unknown): Promise<unknown> {
    const response = await fetch(server.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
    const answer: unknown = await response.json();
    const operation = document.paths[template]?.[method.toLowerCase()];
    const schema = operation?.responses[response.status]?.content?.['application/json']?.schema;
    expect(schema, `${method} ${template} answers ${response.status}`).toBeDefined();
    const validate = ajv.compile({ ...schema, components: document.components });
    expect(validate(answer), JSON.stringify([answer, validate.errors])).toBe(true);
    const { error = {} } = answer as { error?: object };
    expect(Object.keys(document.components.schemas.Error.properties.error.properties)).toEqual(
      expect.arrayContaining(Object.keys(error)),
    );
    const takes = operation?.requestBody?.content['application/json']?.schema;
    expect(takes === undefined).toBe(body === undefined);
    if (takes !== undefined && response.ok) expect(ajv.compile(takes)(body)).toBe(true);
    return answer;
  }

  test('every REST route, done and refused', async () => {
    const done = new Set<string>();
    const run = (method: string, path: string, template: string, body?: unknown) => {
      done.add(`${method.toLowerCase()} ${template}`);
      return check(method, path, template, body);
    };
    await run('POST', '/graphs', '/graphs', { name: 'g' });
    await run('POST', '/graphs', '/graphs', { name: 'g' });
    await run('GET', '/graphs', '/graphs');
    await run('GET', '/graphs/g/access', '/graphs/{graph}/access');
    await fetch(`${server.url}/graphs/g/memory/mcp`, {
      method: 'POST',
      headers: rpcHeaders,
      body: callBody('create_entities', { entities: [entity('Ada')] }),
    });
    await run('POST', '/graphs/g/branches', '/graphs/{graph}/branches', { name: 'draft' });
    await run('POST', '/graphs/g/branches', '/graphs/{graph}/branches', {});
    await run('GET', '/graphs/g/branches', '/graphs/{graph}/branches');
    await run('GET', '/graphs/g/branches/details', '/graphs/{graph}/branches/details');
    await run('GET', '/graphs/g/snapshot?branch=draft', '/graphs/{graph}/snapshot');
    await run('GET', '/graphs/none/snapshot', '/graphs/{graph}/snapshot');
    await run('GET', '/graphs/g/schema', '/graphs/{graph}/schema');
    for (const path of ['nodes', 'search', 'recent', 'neighborhood', 'findings', 'types', 'stats']) {
      await run('GET', `/graphs/g/${path}`, `/graphs/{graph}/${path}`);
      await run('GET', `/graphs/g/${path}?branch=none`, `/graphs/{graph}/${path}`);
    }
    const node = '/graphs/{graph}/nodes/{name}';
    await run('GET', '/graphs/g/nodes/Ada?blame=true', node);
    await run('GET', '/graphs/g/nodes/Nobody', node);
    await run('GET', '/graphs/g/nodes/Ada/history', `${node}/history`);
    await run('GET', '/graphs/g/nodes/Nobody/history', `${node}/history`);
    await run('GET', '/graphs/g/path?from=Ada&to=Ada', '/graphs/{graph}/path');
    await run('GET', '/graphs/g/diff?from=main&to=draft', '/graphs/{graph}/diff');
    const edit = { operations: [{ op: 'add_node', name: 'Bob', type: 'person' }] };
    await run('POST', '/graphs/g/edit', '/graphs/{graph}/edit', edit);
    await run('POST', '/graphs/g/edit', '/graphs/{graph}/edit', edit);
    await run('POST', '/graphs/g/undo', '/graphs/{graph}/undo', { last: true });
    await run('POST', '/graphs/g/undo', '/graphs/{graph}/undo', {});
    const schema = 'node Dish { name: String @key }';
    await run('POST', '/graphs/g/schema/apply', '/graphs/{graph}/schema/apply', { schema, dry_run: true });
    await run('POST', '/graphs/g/schema/apply', '/graphs/{graph}/schema/apply', { schema: 'node' });
    const lines = '{"type":"Dish","data":{"name":"soup"}}';
    await run('POST', '/graphs/g/ingest', '/graphs/{graph}/ingest', { ndjson: lines });
    await run('POST', '/graphs/g/ingest', '/graphs/{graph}/ingest', { ndjson: '{' });
    await run('POST', '/graphs/g/load', '/graphs/{graph}/load', { data: lines });
    done.add('post /graphs/{graph}/load/ndjson');
    done.add('post /graphs/{graph}/export');
    const source = 'query dishes() { match { $d: Dish } return { $d.name } }';
    await run('POST', '/graphs/g/query', '/graphs/{graph}/query', { source });
    await run('POST', '/graphs/g/query', '/graphs/{graph}/query', { source, explain: true });
    await run('POST', '/graphs/g/query', '/graphs/{graph}/query', { source: 'query' });
    const none = 'query none() { delete Dish where name = "none" }';
    await run('POST', '/graphs/g/mutate', '/graphs/{graph}/mutate', { source: none });
    await run('POST', '/graphs/g/read', '/graphs/{graph}/read', { source });
    await run('POST', '/graphs/g/change', '/graphs/{graph}/change', { source: none });
    const conditional = '/if-graph-commit';
    await run('POST', `/graphs/g/mutate${conditional}`, `/graphs/{graph}/mutate${conditional}`, {
      source: none,
    });
    const moved = { source: none, if_commit: 'another' };
    await run('POST', '/graphs/g/mutate', '/graphs/{graph}/mutate', moved);
    await run('GET', '/graphs/g/queries', '/graphs/{graph}/queries');
    await run('POST', '/graphs/g/queries/none', '/graphs/{graph}/queries/{name}', {});
    const stored = '/graphs/{graph}/queries/{name}';
    await run('POST', `/graphs/g/queries/none${conditional}`, `${stored}${conditional}`, {});
    // Whoever has nothing to say sends no body.
    const bodiless = operations().filter(({ operation }) => operation.requestBody?.required === false);
    expect(bodiless.map(({ path }) => path)).toContain('/graphs/{graph}/queries/{name}');
    done.add('get /graphs/{graph}/export');
    const exported = await fetch(`${server.url}/graphs/g/export`);
    expect(exported.headers.get('content-type')).toContain('application/x-ndjson');
    expect(await exported.text()).toContain('"Dish"');
    const [{ name } = { name: '' }] = (
      (await run('GET', '/graphs/g/nodes', '/graphs/{graph}/nodes')) as { nodes: { name: string }[] }
    ).nodes;
    for (const path of ['node', 'node/history'])
      await run('GET', `/graphs/g/${path}?name=${encodeURIComponent(name)}`, `/graphs/{graph}/${path}`);
    for (const path of ['gate/registry', 'gate/rejections', 'gate/drift'])
      await run('GET', `/graphs/g/${path}`, `/graphs/{graph}/${path}`);
    await run('POST', '/graphs/g/gate/registry', '/graphs/{graph}/gate/registry', {
      kind: 'node',
      name: 'X',
    });
    await run('POST', '/graphs/g/branches/merge/preview', '/graphs/{graph}/branches/merge/preview', {
      source: 'main',
    });
    await run('DELETE', '/graphs/g/gate/registry?name=X', '/graphs/{graph}/gate/registry');
    await run('GET', '/graphs/g/policy?actor=ann', '/graphs/{graph}/policy');
    const page = await run('GET', '/graphs/g/commits?limit=1', '/graphs/{graph}/commits');
    const { commits } = page as { commits: { commit_id: string }[] };
    await run('GET', '/graphs/g/changes?limit=1', '/graphs/{graph}/changes');
    await run('GET', `/graphs/g/commits/${commits[0]?.commit_id}`, '/graphs/{graph}/commits/{id}');
    const changesPath = `/graphs/g/commits/${commits[0]?.commit_id}/changes`;
    await run('GET', changesPath, '/graphs/{graph}/commits/{id}/changes');
    await run('POST', '/graphs/g/branches/merge', '/graphs/{graph}/branches/merge', { source: 'draft' });
    await run('DELETE', '/graphs/g/branches/draft', '/graphs/{graph}/branches/{name}');
    await run('DELETE', '/graphs/g/branches/main', '/graphs/{graph}/branches/{name}');
    await run('PATCH', '/graphs/g', '/graphs/{graph}', { name: 'h' });
    await run('DELETE', '/graphs/h', '/graphs/{graph}');
    await run('DELETE', '/graphs/h?confirm=h', '/graphs/{graph}');
    const rest = operations().filter(({ path }) => path.startsWith('/graphs') && !path.endsWith('/mcp'));
    expect([...done].sort()).toEqual(rest.map(({ method, path }) => `${method} ${path}`).sort());
  });
});
