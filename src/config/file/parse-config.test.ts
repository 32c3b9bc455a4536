import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TrellisError } from '../../model/error.js';
import { configLimits } from '../../model/limits.js';
import { parseConfig } from './parse-config.js';

/** What is wrong with a text, as `line:column message`. */
function problemsOf(text: string): string[] {
  try {
    parseConfig(text, 'trellis.yaml');
    return [];
  } catch (error) {
    if (!(error instanceof TrellisError) || error.code !== 'CONFIG_INVALID') throw error;
    return error.message
      .split('\n')
      .filter((line) => !/has \d+ problems:$/.test(line))
      .map((line) => line.trim().replace(/^trellis\.yaml:( |(?=\d))/, ''));
  }
}

test('a file that holds every key is read', () => {
  const text = `store: ./a.db
server: { host: 127.0.0.1, port: 0 }
schemas: ./schemas
gate: { registry: graph, unknown_label_policy: remap, fallback_label: Thing, formula: stix, conflicts: warn }
graphs:
  work: { surface: memory, schemas: ./s, gate: { registry: ./r.json, formula: ../f.mjs } }
  "a graph": {}
`;
  const { content, lineOf } = parseConfig(text, 'trellis.yaml');
  expect(content).toEqual({
    store: './a.db',
    server: { host: '127.0.0.1', port: 0 },
    schemas: './schemas',
    gate: {
      registry: 'graph',
      unknown_label_policy: 'remap',
      fallback_label: 'Thing',
      formula: 'stix',
      conflicts: 'warn',
    },
    graphs: {
      work: { surface: 'memory', schemas: './s', gate: { registry: './r.json', formula: '../f.mjs' } },
      'a graph': {},
    },
  });
  expect([lineOf(['gate', 'formula']), lineOf(['graphs', 'work', 'gate', 'formula'])]).toEqual([4, 6]);
});

test.each([
  '',
  '# nothing\n',
  '---\n',
  'server:\ngate:\ngraphs:\n',
  'graphs:\n  work:\n',
  '{}',
  '\uFEFFstore: a.db',
])('what is left out may be left out: %j', (text) => expect(problemsOf(text)).toEqual([]));

test('every problem is named in one message, in the order of the file', () => {
  const text = `stor: a.db
server:
  prot: 1
  port: "http"
limits: {}
gate: { conflicts: warm }
graphs:
  work: { surface: memry }
`;
  expect(problemsOf(text)).toEqual([
    '1:1: stor is not known in this version; did you mean store?',
    '3:3: server.prot is not known in this version; did you mean port?',
    '4:9: server.port must be a number, not "http"',
    '5:1: limits is not known in this version; known here: store, server, auth, policy, schemas, gate, embedding, llm, rerank, mcp, servers, graphs',
    '6:20: gate.conflicts must be one of warn, reject, keep, not "warm"; did you mean warn?',
    expect.stringMatching(/^8:20: graphs\.work\.surface must be .*memory.*; did you mean memory\?$/),
  ]);
});

test.each([
  ['server: { port: 70000 }', '1:17: server.port must be at most 65535, not 70000'],
  ['server: { port: -1 }', '1:17: server.port must be at least 0, not -1'],
  ['server: { port: 1.5 }', '1:17: server.port must be a whole number, not 1.5'],
  ['server: 8765', '1:9: server must be a block of keys, not 8765'],
  ['server: { host: }', '1:17: server.host must be text, not nothing'],
  ['store: [a.db]', '1:8: store must be text, not a list of 1'],
  ['store: ""', '1:8: store must not be empty'],
  ['store: a.txt', '1:8: store must be a path that ends in .db, .jsonl or .json, or a postgres:// URL'],
  ['store: "a\\0.db"', '1:8: store contains a NUL character (U+0000)'],
  ['schemas: { a: b }', '1:10: schemas must be text, not an object'],
  [
    'gate: { registry: grpah }',
    '1:19: gate.registry must be graph, schema, or a file or module such as ./gate.yaml; did you mean graph?',
  ],
  [
    'gate: { formula: stx }',
    '1:18: gate.formula must be default, flat, admiralty, stix, decay, corroborate, or a module such as ./formula.js; did you mean stix?',
  ],
  [
    'gate: { trust: [{ branch: review }] }',
    '1:17: gate.trust.0 must have below, methods or both: what to hold on the branch',
  ],
  [
    'gate: { trust: [{ below: 0.5, branch: main }] }',
    '1:39: gate.trust.0.branch must not be main: held writes wait on a branch of their own',
  ],
  [
    "gate: { trust: [{ below: 0.5, branch: 'review/{who}' }] }",
    '1:39: gate.trust.0.branch may only contain the placeholder {actor}',
  ],
  [
    'gate: { trust: [{ below: 0.5, branch: review/../main }] }',
    '1:39: gate.trust.0.branch is not the name of a branch: it contains "." or ".." as a path segment',
  ],
  ['gate: { trust: [{ below: 0, branch: a }] }', '1:26: gate.trust.0.below must be more than 0, not 0'],
  ['gate: { trust: [{ methods: [], branch: a }] }', '1:28: gate.trust.0.methods must have at least 1 item'],
  [
    `gate: { trust: [{ below: 0.5, branch: ${'a'.repeat(201)} }] }`,
    '1:39: gate.trust.0.branch must have at most 200 characters',
  ],
  [
    'gate: { trust: [{ below: 0.5, branch: a }, { below: 0.3, methods: [llm], branch: b }] }',
    '1:44: gate.trust.1 never applies: gate.trust.0 comes first and holds all that it would. Put it first, or remove it',
  ],
  [
    'gate: { trust: [{ methods: [llm, api], branch: a }, { methods: [api], branch: b }] }',
    '1:53: gate.trust.1 never applies: gate.trust.0 comes first and holds all that it would. Put it first, or remove it',
  ],
  ['gate: { trust: [{ below: 2, branch: a }] }', '1:26: gate.trust.0.below must be at most 1, not 2'],
  [
    'gate: { trust: [{ below: 0.5, methos: [llm], branch: a }] }',
    '1:31: gate.trust.0.methos is not known in this version; did you mean methods?',
  ],
  ['gate: { suspicious_text: no }', '1:26: gate.suspicious_text must be one of off, flag, hold, not "no"'],
  ['graphs: [work]', '1:9: graphs must be a block of keys, not a list of 1'],
  ['graphs: { "": {} }', '1:11: the name graphs."" must not be empty'],
  ['graphs: { "a\\0": {} }', '1:11: the name graphs."a\\u0000" contains a NUL character (U+0000)'],
  ['- store', '1:1: the file must be a block of keys, not a list of 1'],
  ['just text', '1:1: the file must be a block of keys, not "just text"'],
  [
    'graphs: { work: { bounds: {} } }',
    '1:19: graphs.work.bounds is not known in this version; known here: surface, schema, schemas, queries, gate, perspectives, policy, limits',
  ],
])('%s is refused with what is allowed', (text, problem) => {
  expect(problemsOf(text)).toEqual([problem]);
});

describe('keys that are traps', () => {
  test.each(['__proto__: { store: x.db }', 'graphs: { __proto__: { surface: memory } }', '"__proto__": 1'])(
    '%s is refused, and pollutes nothing',
    (text) => {
      expect(problemsOf(text)).toEqual([expect.stringContaining('the key __proto__ cannot be used')]);
      expect(Object.hasOwn(Object.prototype, 'store')).toBe(false);
    },
  );

  test('constructor and toString are names like others', () => {
    const { content } = parseConfig(
      'graphs: { constructor: {}, toString: { schemas: ./s } }',
      'trellis.yaml',
    );
    expect(Object.keys(content.graphs ?? {})).toEqual(['constructor', 'toString']);
    expect(problemsOf('constructor: 1')).toEqual([expect.stringMatching(/^1:1: constructor is not known/)]);
  });

  test('a key that is no text is refused, and so are two of the same', () => {
    expect(problemsOf('graphs: { 1: {} }')).toEqual([expect.stringMatching(/^1:11: a key must be text/)]);
    expect(problemsOf('? [a]\n: 1')).toContainEqual(expect.stringMatching(/^1:3: a key must be text/));
    expect(problemsOf('store: a.db\nstore: b.db\nsevrer: 1')).toEqual([
      '2:1: store is given twice',
      '3:1: sevrer is not known in this version; did you mean server?',
    ]);
  });
});

describe('hostile files', () => {
  test.each([
    ['brackets', '['.repeat(60_000)],
    ['braces', '{a: '.repeat(15_000)],
    ['dashes', '- '.repeat(30_000)],
    ['question marks', '? '.repeat(30_000)],
    ['indentation', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('%s inside one another are refused', (_, text) => {
    expect(problemsOf(text)).toEqual([
      `is nested too deeply: at most ${configLimits.depth} levels are allowed`,
    ]);
  });

  test('aliases that multiply are refused', () => {
    const levels = Array.from({ length: 9 }, (_, index) => {
      const last = index === 0 ? '"x"' : `*a${index - 1}`;
      return `a${index}: &a${index} [${Array(9).fill(last).join(', ')}]`;
    });
    expect(problemsOf(levels.join('\n'))).toEqual([expect.stringContaining('alias')]);
  });

  test('a block may still be used twice, and its problems are found where it stands', () => {
    expect(problemsOf('gate: &g { conflicts: keep }\ngraphs: { work: { gate: *g } }')).toEqual([]);
    expect(problemsOf('gate: &g { conflicts: kep }\ngraphs: { work: { gate: *g } }')).toEqual([
      '1:23: gate.conflicts must be one of warn, reject, keep, not "kep"; did you mean keep?',
      '1:23: graphs.work.gate.conflicts must be one of warn, reject, keep, not "kep"; did you mean keep?',
    ]);
  });

  test('a block that holds itself is refused', () => {
    expect(problemsOf('graphs: &g { work: *g }')).toEqual([
      expect.stringContaining('graphs.work.work is not known'),
    ]);
  });

  test('tags, several documents and broken syntax are refused, with the line', () => {
    expect(problemsOf('store: !js/function a.db')).toEqual([expect.stringMatching(/^1:8: Unresolved tag/)]);
    expect(problemsOf('store: a.db\n---\nstore: b.db')).toEqual([
      '2:1: holds several documents, and only one is read',
    ]);
    expect(problemsOf('store: [a.db\nserver: }')[0]).toMatch(/^\d+:\d+: /);
  });

  test('a thousand problems are counted, and the first are named', () => {
    const text = Array.from({ length: 1_000 }, (_, index) => `key${index}: 1`).join('\n');
    const problems = problemsOf(text);
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)).toBe('and 950 more problems');
  });

  test('as many keys as a file can hold are all looked at', () => {
    const keys = Array.from({ length: 6_000 }, (_, index) => `k${index}: 1`).join('\n');
    expect(keys.length).toBeLessThan(configLimits.fileBytes);
    expect(problemsOf(keys).at(-1)).toBe('and 5950 more problems');
  });

  test('long keys and values are cut in messages', () => {
    const long = 'x'.repeat(5_000);
    for (const text of [`${long}: 1`, `server: { port: ${long} }`, `gate: { conflicts: ${long} }`]) {
      for (const problem of problemsOf(text)) expect(problem.length).toBeLessThan(300);
    }
  });

  test('whatever the text, it is read or refused with places in it', () => {
    const word = fc.constantFrom(
      ...[
        'store',
        'server',
        'graphs',
        'gate',
        'port',
        ': ',
        '\n',
        '  ',
        '- ',
        '{',
        '}',
        '[',
        ']',
        '&a ',
        '*a',
      ],
      ...[
        '"',
        "'",
        '#',
        '|',
        '>',
        '!',
        '%',
        '? ',
        '---',
        '__proto__',
        '1',
        'null',
        '\t',
        '\0',
        '\ud800',
        'é',
      ],
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const text = words.join('');
        const lines = text.split(/\r?\n/).length;
        for (const problem of problemsOf(text)) {
          const line = /^(\d+):\d+: /.exec(problem)?.[1];
          if (line !== undefined) expect(Number(line)).toBeLessThanOrEqual(lines);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
