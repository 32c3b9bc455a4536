import { describe, expect, test } from 'vitest';
import { defaultPerspectives } from '../search/perspectives.js';
import { parseConfig } from './file/parse-config.js';
import { surfaceSettings } from './graph-settings.js';
import type { Environment } from './paths.js';
import type { Flags } from './setting-layers.js';
import { resolveSettings, type Settings, settingsOfGraph } from './settings.js';

const home = { HOME: '/home/ann' };

/** Settles settings without a file, or with the text of one at /etc/trellis/trellis.yaml. */
function settle(flags: Flags, env: Environment, text?: string, isExplicit = true): Settings {
  if (text === undefined) return resolveSettings(flags, env, undefined, '/work');
  const { content, lineOf } = parseConfig(text, 'trellis.yaml');
  const file = {
    path: '/etc/trellis/trellis.yaml',
    folder: '/etc/trellis',
    content,
    sourceOf: (path: readonly PropertyKey[]) => `trellis.yaml:${lineOf(path)}`,
  };
  return resolveSettings(flags, env, { file, source: '--config', isExplicit }, '/work');
}

const unset = { value: undefined, source: 'default' };
const unsetGate = {
  registry: unset,
  unknown_label_policy: unset,
  fallback_label: unset,
  formula: unset,
  conflicts: unset,
  trust: unset,
  suspicious_text: unset,
  target: unset,
  database: unset,
  auth: unset,
  schemaFile: unset,
};

test('with nothing given, every value is the default and says so', () => {
  expect(settle({}, home)).toEqual({
    config: unset,
    location: {
      value: { kind: 'store', path: '/home/ann/.local/share/trellis/trellis.db' },
      source: 'default',
    },
    graph: { value: 'default', source: 'default' },
    surface: { value: 'memory', source: 'default' },
    host: { value: '127.0.0.1', source: 'default' },
    port: { value: 8765, source: 'default' },
    hasSeveralGraphs: false,
    server: {
      publicUrl: undefined,
      allowed: { hosts: [], origins: [] },
      limits: {},
      log: 'warn',
      access: undefined,
    },
    fileOnly: [],
    graphs: new Map(),
    defaults: {
      surface: { value: 'memory', source: 'default' },
      schema: unset,
      queries: [],
      limits: {},
      mcp: { allowAdhoc: undefined, storedQueryTools: undefined },
      searchFallback: { value: 'ranked', source: 'default' },
      schemas: unset,
      gate: unsetGate,
      llm: unset,
      embedding: { value: { provider: 'local' }, source: 'default' },
      perspectives: { value: defaultPerspectives, source: 'default' },
      rerank: { value: { provider: 'none' }, source: 'default' },
    },
  });
});

test('the environment wins over the defaults, and names the variable', () => {
  const settings = settle(
    {},
    { ...home, TRELLIS_STORE: '~/a.db', TRELLIS_SERVER_PORT: '9', TRELLIS_GRAPH: 'g' },
  );
  expect(settings.location).toEqual({
    value: { kind: 'store', path: '/home/ann/a.db' },
    source: 'TRELLIS_STORE',
  });
  expect(settings.port).toEqual({ value: 9, source: 'TRELLIS_SERVER_PORT' });
  expect(settings.graph).toEqual({ value: 'g', source: 'TRELLIS_GRAPH' });
});

test('flags win over the environment, a --file over TRELLIS_STORE too', () => {
  const settings = settle({ file: '/b.jsonl', graph: 'h' }, { TRELLIS_STORE: '/a.db', TRELLIS_GRAPH: 'g' });
  expect(settings.location).toEqual({ value: { kind: 'file', path: '/b.jsonl' }, source: '--file' });
  expect(settings.graph).toEqual({ value: 'h', source: '--graph' });
});

test('an empty variable counts as not set', () => {
  expect(settle({}, { ...home, MEMORY_FILE_PATH: '' }).location.source).toBe('default');
});

test('MEMORY_FILE_PATH names a file whatever its ending', () => {
  const { location } = settle({}, { MEMORY_FILE_PATH: '/data/memory.txt' });
  expect(location).toEqual({ value: { kind: 'file', path: '/data/memory.txt' }, source: 'MEMORY_FILE_PATH' });
});

test('two answers to where the data is are refused', () => {
  expect(() => settle({ file: 'a', store: 'b' }, {})).toThrow('--file and --store are both given.');
  expect(() => settle({}, { MEMORY_FILE_PATH: 'a', TRELLIS_STORE: 'b' })).toThrow(
    'MEMORY_FILE_PATH and TRELLIS_STORE are both given.',
  );
});

test('a port that is none is refused with the place it came from', () => {
  expect(() => settle({ port: '99999' }, {})).toThrow('--port is "99999", which is not a port.');
  expect(() => settle({}, { TRELLIS_SERVER_PORT: 'http' })).toThrow('TRELLIS_SERVER_PORT is "http"');
});

test('a store given as a URL stays as it is', () => {
  expect(settle({ store: 'postgres://h/d' }, {}).location.value.path).toBe('postgres://h/d');
  expect(settle({}, {}, 'store: postgres://h/d').location.value.path).toBe('postgres://h/d');
});

describe('a configuration file', () => {
  const text = `store: ./a.db
server:
  host: localhost
  port: 9000
schemas: schemas
`;

  test('wins over the defaults, and names the line; its relative paths start from it', () => {
    const settings = settle({}, home, text);
    expect(settings.config).toEqual({ value: '/etc/trellis/trellis.yaml', source: '--config' });
    expect(settings.location).toEqual({
      value: { kind: 'store', path: '/etc/trellis/a.db' },
      source: 'trellis.yaml:1',
    });
    expect(settings.host).toEqual({ value: 'localhost', source: 'trellis.yaml:3' });
    expect(settings.port).toEqual({ value: 9000, source: 'trellis.yaml:4' });
    expect(settings.defaults.schemas).toEqual({ value: '/etc/trellis/schemas', source: 'trellis.yaml:5' });
  });

  test('gives way to the environment and to flags, whose paths start from the working directory', () => {
    const env = { ...home, TRELLIS_STORE: 'env.db', TRELLIS_SCHEMAS: 'env', TRELLIS_SERVER_HOST: '::1' };
    const byEnvironment = settle({}, env, text);
    expect(byEnvironment.location).toMatchObject({
      value: { path: '/work/env.db' },
      source: 'TRELLIS_STORE',
    });
    expect(byEnvironment.defaults.schemas).toEqual({ value: '/work/env', source: 'TRELLIS_SCHEMAS' });
    expect(byEnvironment.host).toEqual({ value: '::1', source: 'TRELLIS_SERVER_HOST' });
    const byFlags = settle(
      { store: 'flag.db', schemas: 'flag', port: '1', gateSchema: '~/g.yaml' },
      env,
      text,
    );
    expect(byFlags.location).toMatchObject({ value: { path: '/work/flag.db' }, source: '--store' });
    expect(byFlags.defaults.schemas).toEqual({ value: '/work/flag', source: '--schemas' });
    expect(byFlags.port).toEqual({ value: 1, source: '--port' });
    expect(byFlags.defaults.gate.schemaFile).toEqual({
      value: '/home/ann/g.yaml',
      source: '--gate-schema',
    });
  });

  test('MEMORY_FILE_PATH wins over its store', () => {
    expect(settle({}, { MEMORY_FILE_PATH: '/m.jsonl' }, text).location.source).toBe('MEMORY_FILE_PATH');
  });
});

describe('what one agent is given', () => {
  const given = (text: string, flags: Flags = {}, env: Environment = {}) => {
    const { graph, surface } = settle(flags, env, text);
    return { graph, surface };
  };
  const memory = { value: 'memory', source: 'default' };

  test('a file without graphs: memory on default', () => {
    expect(given('server: {}')).toEqual({ graph: { value: 'default', source: 'default' }, surface: memory });
  });

  test('one graph: that one, with its surface', () => {
    expect(given('graphs:\n  work:\n    surface: memory')).toEqual({
      graph: { value: 'work', source: 'trellis.yaml:2' },
      surface: { value: 'memory', source: 'trellis.yaml:3' },
    });
    expect(given('graphs: { work: }').graph.value).toBe('work');
  });

  test('several graphs: memory on default, or else on the first', () => {
    expect(given('graphs:\n  work: { surface: memory }\n  default:')).toEqual({
      graph: { value: 'default', source: 'trellis.yaml:3' },
      surface: memory,
    });
    expect(given('graphs: { work: , home: }').graph.value).toBe('work');
  });

  test('a graph that is asked for, with its surface', () => {
    const text = 'graphs:\n  work: { surface: memory }\n  home:';
    expect(given(text, { graph: 'work' })).toEqual({
      graph: { value: 'work', source: '--graph' },
      surface: { value: 'memory', source: 'trellis.yaml:2' },
    });
    expect(given(text, {}, { TRELLIS_GRAPH: 'other' })).toEqual({
      graph: { value: 'other', source: 'TRELLIS_GRAPH' },
      surface: memory,
    });
    expect(given(text, { graph: 'work', surface: 'x' }).surface).toEqual({ value: 'x', source: '--surface' });
  });
});

describe('what surfaces on a graph are made from', () => {
  const text = `schemas: ./common
gate:
  registry: ./gate.yaml
  unknown_label_policy: reject
  formula: flat
graphs:
  work:
    schemas: /own
    gate: { registry: graph, conflicts: keep, formula: ./formula.js }
  constructor: {}
`;
  const of = (settings: Settings, graph: string) => surfaceSettings(settingsOfGraph(settings, graph));

  test('its own keys, then those the file gives for all', () => {
    const settings = settle({}, {}, text);
    const usual = {
      searchFallback: 'ranked',
      embedding: { provider: 'local' },
      perspectives: defaultPerspectives,
      rerank: { provider: 'none' },
      limits: {},
    };
    expect(of(settings, 'work')).toEqual({
      ...usual,
      queries: [],
      schemas: '/own',
      gate: {
        registry: 'graph',
        unknown_label_policy: 'reject',
        formula: '/etc/trellis/formula.js',
        conflicts: 'keep',
      },
    });
    const common = {
      ...usual,
      queries: [],
      schemas: '/etc/trellis/common',
      gate: { registry: '/etc/trellis/gate.yaml', unknown_label_policy: 'reject', formula: 'flat' },
    };
    for (const graph of ['constructor', 'not in the file', 'toString'])
      expect(of(settings, graph)).toEqual(common);
    expect(settings.graphs.get('work')).toMatchObject({
      source: 'trellis.yaml:7',
      schemas: { source: 'trellis.yaml:8' },
      gate: { conflicts: { source: 'trellis.yaml:9' }, unknown_label_policy: { source: 'trellis.yaml:4' } },
    });
  });

  test('what is held: rules of a graph replace those for all, and do not go with a graph database', () => {
    const rules = 'gate: { trust: [{ below: 0.5, branch: all }] }\n';
    const own = `${rules}graphs: { work: { gate: { trust: [{ methods: [llm], branch: own }] } } }\n`;
    const settings = settle({}, {}, own);
    expect(of(settings, 'work').gate?.trust).toEqual([{ methods: ['llm'], branch: 'own' }]);
    expect(of(settings, 'other').gate?.trust).toEqual([{ below: 0.5, branch: 'all' }]);
    expect(() => settle({ target: 'bolt://localhost' }, {}, rules)).toThrow(
      'gate.trust does not work together with gate.target.',
    );
  });

  test('what is held: a method that the formula does not have is refused', () => {
    const rule = 'trust: [{ methods: [lm], branch: models }]';
    expect(() => settle({}, {}, `gate: { ${rule} }`)).toThrow('gate.trust names the unknown method "lm".');
    const graded = 'trust: [{ methods: [A1], branch: models }]';
    expect(() => settle({}, {}, `gate: { formula: admiralty, ${graded} }`)).not.toThrow();
    expect(() =>
      settle({}, {}, `gate: { ${graded} }\ngraphs: { a: { gate: { formula: admiralty } } }`),
    ).toThrow('gate.trust names the unknown method "A1".');
  });

  test('flags and variables hold for every graph', () => {
    const env = { WRITE_GATE_UNKNOWN_LABEL_POLICY: 'remap', TRELLIS_GATE_SCHEMA: '/env.yaml' };
    const settings = settle({ schemas: '/flag' }, env, text);
    for (const graph of ['work', 'constructor', 'another']) {
      expect(of(settings, graph)).toMatchObject({
        schemas: '/flag',
        gate: { unknown_label_policy: 'remap', schemaFile: '/env.yaml' },
      });
    }
    expect(settings.defaults.gate.unknown_label_policy.source).toBe('WRITE_GATE_UNKNOWN_LABEL_POLICY');
  });

  test('a policy that is none is refused', () => {
    expect(() => settle({}, { WRITE_GATE_UNKNOWN_LABEL_POLICY: 'drop' })).toThrow(
      'WRITE_GATE_UNKNOWN_LABEL_POLICY is "drop", which is not a valid policy.',
    );
  });

  test('an empty path is refused', () => {
    expect(() => settle({ schemas: '' }, {})).toThrow('The path given with --schemas is empty.');
  });
});

describe('a module that is to be run', () => {
  const text = 'gate: { formula: ./formula.js }';

  test('is taken from a file that somebody named', () => {
    expect(settle({}, home, text).defaults.gate.formula.value).toBe('/etc/trellis/formula.js');
  });

  test('is not taken from a file that only lies in the working directory', () => {
    expect(() => settle({}, home, text, false)).toThrow(/trellis.yaml:1 names a module, which would be run/);
    expect(settle({}, home, 'gate: { formula: flat }', false).defaults.gate.formula.value).toBe('flat');
  });
});

describe('who may connect to the server', () => {
  const { access } = settle(
    {},
    home,
    `
auth:
  tokens: { file: tokens.json }
  oidc: { issuer: https://login.example.com, audience: trellis, clock_skew: 30, client_id: c, scopes: [profile] }
policy: { file: policy.cedar, protected_branches: [main] }
graphs: { work: { policy: { file: work.yaml } } }
`,
  ).server;

  test('is read from the file, with paths that start there', () => {
    expect(access).toEqual({
      tokens: { file: '/etc/trellis/tokens.json' },
      oidc: {
        issuer: 'https://login.example.com',
        audience: 'trellis',
        clockSkewSeconds: 30,
        clientId: 'c',
        scopes: ['profile'],
      },
      policy: {
        server: { file: '/etc/trellis/policy.cedar', protectedBranches: ['main'] },
        graphs: new Map([['work', { file: '/etc/trellis/work.yaml' }]]),
      },
    });
  });

  test('a policy without anybody to ask is refused', () => {
    expect(() => settle({}, home, 'policy: { file: p.yaml }')).toThrow(/A policy is configured without auth/);
  });

  test('tokens are in a file or in a variable, not in both', () => {
    expect(() => settle({}, home, 'auth: { tokens: { file: a, env: B } }')).toThrow(/either a file or/);
    expect(() => settle({}, home, 'auth: { tokens: {} }')).toThrow(/either a file or/);
  });

  test('the name under which clients reach the server is one it answers to, and its page there may write', () => {
    const { server } = settle(
      {},
      home,
      'server: { public_url: https://memory.example.com/x, allowed_hosts: [a.example] }',
    );
    expect(server.allowed).toEqual({
      hosts: ['a.example', 'memory.example.com'],
      origins: ['https://memory.example.com'],
    });
  });
});

describe('the embedder', () => {
  const remote = 'embedding: { provider: openai, model: m, url: http://models.example, api_key_env: KEY }';

  test('is what the file says, with the key from the variable it names', () => {
    expect(settle({}, { ...home, KEY: 'secret' }, remote).defaults.embedding).toEqual({
      value: { provider: 'openai', model: 'm', url: 'http://models.example', apiKey: 'secret' },
      source: 'trellis.yaml:1',
    });
  });

  test('is what the environment says, whatever the file does', () => {
    const env = { ...home, TRELLIS_EMBEDDING_PROVIDER: 'none' };
    expect(settle({}, env, remote).defaults.embedding.value.provider).toBe('none');
    expect(() => settle({}, { ...home, TRELLIS_EMBEDDING_PROVIDER: 'magic' })).toThrow(
      /which is not a known embedder/,
    );
  });

  test('counts in hybrid search as the environment says, else as the file says of its own model', () => {
    const weight = (env: Readonly<Record<string, string>>, file: string) =>
      settle({}, { ...home, ...env }, file).defaults.embedding.value.meaningWeight;
    const file = 'embedding: { meaning_weight: 0.3 }';
    expect(weight({}, '{}')).toBeUndefined();
    expect(weight({}, file)).toBe(0.3);
    expect(weight({ TRELLIS_EMBEDDING_MEANING_WEIGHT: '0' }, file)).toBe(0);
    expect(weight({ TRELLIS_EMBEDDING_PROVIDER: 'ollama' }, file)).toBeUndefined();
    expect(() => weight({ TRELLIS_EMBEDDING_MEANING_WEIGHT: 'heavy' }, file)).toThrow(/not a weight/);
    expect(() => weight({}, 'embedding: { meaning_weight: -1 }')).toThrow(/meaning_weight/);
  });

  test('on another server is not taken from a file that only lies in the working directory', () => {
    expect(() => settle({}, home, remote, false)).toThrow(/sends observations to a server/);
    const local = 'embedding: { provider: none }';
    expect(settle({}, home, local, false).defaults.embedding.value.provider).toBe('none');
  });

  test('from a folder is not taken from such a file either', () => {
    const onnx = 'embedding: { provider: onnx, model: ./model }';
    expect(() => settle({}, home, onnx, false)).toThrow(/loads a model into this machine/);
    expect(settle({}, home, onnx).defaults.embedding.value.model).toBe('./model');
  });

  test('of a model that drafts texts likewise', () => {
    const llm = 'llm: { provider: ollama, model: m, url: http://models.example }';
    expect(() => settle({}, home, llm, false)).toThrow(/sends observations to a server/);
    expect(settle({}, home, llm).defaults.llm.value?.provider).toBe('ollama');
  });
});

describe('the reranker', () => {
  const text = `rerank:
  provider: http
  url: http://models.example
  model: m
  api_key_env: RERANK_KEY
  timeout_ms: 500
  candidates: 20`;
  const rerank = (env: Record<string, string>, file?: string, isExplicit = true) =>
    settle({}, { ...home, ...env }, file, isExplicit).defaults.rerank;

  test('is none, or that of the file, or that of the environment', () => {
    expect(rerank({})).toEqual({ value: { provider: 'none' }, source: 'default' });
    expect(rerank({ RERANK_KEY: 'secret' }, text).value).toEqual({
      ...{ provider: 'http', url: 'http://models.example', model: 'm', apiKey: 'secret' },
      ...{ timeoutMs: 500, candidates: 20 },
    });
    const env = { TRELLIS_RERANK_PROVIDER: 'http', TRELLIS_RERANK_URL: 'http://127.0.0.1:1' };
    expect(rerank(env, text)).toMatchObject({
      ...{ value: { provider: 'http', url: 'http://127.0.0.1:1' }, source: 'TRELLIS_RERANK_PROVIDER' },
    });
    expect(() => rerank({ TRELLIS_RERANK_PROVIDER: 'magic' })).toThrow(/which is not a known reranker/);
    expect(() => rerank({ TRELLIS_RERANK_PROVIDER: 'http' })).toThrow(/needs a url/);
  });

  test('on another server is not taken from a file that only lies in the working directory', () => {
    expect(() => rerank({}, text, false)).toThrow(/sends observations to a server/);
    expect(rerank({}, 'rerank: { provider: none }', false).value.provider).toBe('none');
  });
});

describe('perspectives', () => {
  const named = (file: string, graph = 'g') => {
    const settings = settle({}, home, file);
    return (settings.graphs.get(graph) ?? settings.defaults).perspectives.value.map(
      ({ name, instruction }) => `${name}: ${instruction}`,
    );
  };
  const usual = defaultPerspectives.map(({ name, instruction }) => `${name}: ${instruction}`);

  test('those of embedding take the place of the usual ones', () => {
    expect(named('embedding: { perspectives: [{ name: taste, instruction: Its taste }] }')).toEqual([
      'taste: Its taste',
    ]);
    expect(named('store: a.db')).toEqual(usual);
  });

  test('those of a graph come beside the others, or in the place of one of the same name', () => {
    const file = `graphs:
  g: { perspectives: [{ name: general, instruction: Anything }, { name: taste, instruction: Its taste }] }
  other: {}`;
    expect(named(file)).toEqual(['general: Anything', ...usual.slice(1), 'taste: Its taste']);
    expect(named(file, 'other')).toEqual(usual);
  });

  test.each([
    ['[]', /too few|at least|must/],
    ['[{ name: a }]', /instruction/],
    ['[{ name: a, instruction: x }, { name: a, instruction: y }]', /must not name a perspective twice/],
    ['[{ name: a, instruction: x, weight: 2 }]', /weight/],
    [`[{ name: a, instruction: ${'x'.repeat(1_001)} }]`, /instruction/],
  ])('refuses %s', (list, reason) => {
    expect(() => settle({}, home, `embedding: { perspectives: ${list} }`)).toThrow(reason);
    expect(() => settle({}, home, `graphs: { g: { perspectives: ${list} } }`)).toThrow(reason);
  });
});

describe('schemas and stored queries', () => {
  const text = `mcp: { allow_adhoc: true, stored_query_tools: pair }
graphs:
  work:
    schema: work.pg
    queries:
      find_user: { file: ~/find.gq, mcp: { expose: false, tool_name: find-user } }
      plain: { file: /q/plain.gq }
  notes: {}
`;

  test('are read with their paths and lines, for their graph alone', () => {
    const settings = settle({}, home, text);
    expect(surfaceSettings(settingsOfGraph(settings, 'work'))).toMatchObject({
      schema: '/etc/trellis/work.pg',
      queries: [
        {
          name: 'find_user',
          file: '/home/ann/find.gq',
          expose: false,
          toolName: 'find-user',
          source: 'trellis.yaml:6',
        },
        { name: 'plain', file: '/q/plain.gq', expose: undefined, toolName: undefined },
      ],
      allowAdhoc: true,
      storedQueryTools: 'pair',
    });
    expect(surfaceSettings(settingsOfGraph(settings, 'notes'))).toMatchObject({
      schema: undefined,
      queries: [],
    });
    expect(surfaceSettings(settingsOfGraph(settings, 'other'))).toMatchObject({
      schema: undefined,
      queries: [],
    });
  });

  test('the limits of a graph are read for it alone, and bounded', () => {
    const settings = settle(
      {},
      home,
      'graphs: { work: { limits: { rows: 50, read_ms: 900, depth: 9 } }, notes: {} }',
    );
    expect(surfaceSettings(settingsOfGraph(settings, 'work')).limits).toEqual({
      rows: 50,
      readMs: 900,
      depth: 9,
    });
    expect(surfaceSettings(settingsOfGraph(settings, 'notes')).limits).toEqual({});
    for (const wrong of ['rows: 0', 'rows: 100001', 'read_ms: soon', 'depth: 0', 'depth: 33', 'hops: 3'])
      expect(() => settle({}, home, `graphs: { work: { limits: { ${wrong} } } }`)).toThrow(/trellis\.yaml:1/);
  });

  test('a graph with a schema shows the graph surface, unless another is said', () => {
    const only = (entry: string) => settle({}, home, `graphs: { work: { ${entry} } }`).surface;
    expect(only('schema: a.pg')).toEqual({ value: 'graph', source: 'trellis.yaml:1' });
    expect(only('schema: a.pg, surface: memory').value).toBe('memory');
    expect(only('schemas: ./schemas').value).toBe('memory');
  });

  test('are listed with what the file says', () => {
    const { fileOnly } = settle({}, home, text);
    expect(fileOnly.map(({ name, value, isPath }) => [name, value, isPath])).toEqual([
      ['mcp.allow_adhoc', 'true', false],
      ['mcp.stored_query_tools', 'pair', false],
      ['graphs.work.schema', '/etc/trellis/work.pg', true],
      ['graphs.work.queries.find_user.file', '/home/ann/find.gq', true],
      ['graphs.work.queries.find_user.mcp.expose', 'false', false],
      ['graphs.work.queries.find_user.mcp.tool_name', 'find-user', false],
      ['graphs.work.queries.plain.file', '/q/plain.gq', true],
    ]);
  });

  test.each([
    ['schema: work.yaml', /ends in \.pg/],
    ['queries: { Find: { file: a.gq } }', /not a query name/],
    ['queries: { "a-b": { file: a.gq } }', /not a query name/],
    ['queries: { a: {} }', /queries\.a\.file must be text/],
    ['queries: { a: { file: a.gq, mcp: { tool_name: "a b" } } }', /letters, digits/],
    ['queries: { a: { file: a.gq, mcp: { expose: maybe } } }', /true or false/],
  ])('%s is refused', (entry, words) => {
    expect(() => settle({}, home, `graphs: { work: { ${entry} } }`)).toThrow(words);
  });
});

test('servers are listed without what their commands are given', () => {
  const text = 'servers: { a: { url: "https://a.example", auth: { token: { command: [vault, secret] } } } }';
  expect(settle({}, home, text).fileOnly.map(({ name, value }) => [name, value])).toEqual([
    ['servers.a.url', 'https://a.example'],
    ['servers.a.auth.token.command', 'vault …'],
  ]);
});

describe('the search fallback', () => {
  const fallback = (flags: Flags, env: Environment, text?: string) =>
    settingsOfGraph(settle(flags, { ...home, ...env }, text), 'work').searchFallback;

  test('comes from the file, the environment or a flag', () => {
    const text = 'mcp: { search_fallback: none }';
    expect(fallback({}, {}, text)).toEqual({ value: 'none', source: 'trellis.yaml:1' });
    expect(fallback({}, { TRELLIS_SEARCH_FALLBACK: 'ranked' }, text)).toEqual({
      value: 'ranked',
      source: 'TRELLIS_SEARCH_FALLBACK',
    });
    expect(fallback({ searchFallback: 'none' }, { TRELLIS_SEARCH_FALLBACK: 'ranked' })).toEqual({
      value: 'none',
      source: '--search-fallback',
    });
  });

  test('must be one of the known ones', () => {
    expect(() => fallback({ searchFallback: 'maybe' }, {})).toThrow(
      '--search-fallback is "maybe", which is not a valid search fallback.',
    );
  });
});
