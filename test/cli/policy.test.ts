import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { example } from '../access/policies.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();
const put = (name: string, text: string) => writeFile(sandbox.path(name), text);

describe('policy check', () => {
  test('says that a policy can be used', async () => {
    await put('policy.yaml', example);
    expect(await sandbox.run(['policy', 'check', 'policy.yaml'])).toEqual({
      code: 0,
      stdout: `${sandbox.path('policy.yaml')} can be used: 3 rules.\n`,
      stderr: '',
    });
  });

  test('says what is wrong with one, and where', async () => {
    await put('policy.yaml', example.replace('[read]', '[raed]'));
    const { code, stderr } = await sandbox.run(['policy', 'check', 'policy.yaml']);
    expect(code).toBe(1);
    expect(stderr).toContain('policy.yaml:6: an action cannot be "raed". Did you mean "read"?');
    expect(stderr).toContain('[POLICY_INVALID]');
  });

  test('reads Cedar', async () => {
    await put('p.cedar', '@id("x") permit(principal, action == Action::"read", resource);');
    const { stdout } = await sandbox.run(['policy', 'check', 'p.cedar', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ rules: ['x'], cases: [], failed: 0 });
  });

  test('runs expected cases and names the rule that decided', async () => {
    await put('policy.yaml', example);
    await put(
      'cases.yaml',
      `- { actor: ann, action: read, expect: allow }
- { actor: ann, action: change, expect: deny }
- { actor: ann, action: change, branch: feature, expect: allow }
- { actor: bot-7, action: invoke_query, query: find_user, expect: allow }
- { actor: bot-7, action: invoke_query, query: other, expect: deny }
- { actor: new, groups: [team], tenant: acme, graph: work, action: read, expect: allow }
`,
    );
    const { code, stdout } = await sandbox.run(['policy', 'check', 'policy.yaml', '--cases', 'cases.yaml']);
    expect(code).toBe(0);
    expect(stdout.split('\n').slice(1)).toEqual([
      '  ok    line 1: ann read on default, main: allow (agents-read-and-look-up)',
      '  ok    line 2: ann change on default, main: deny (no rule)',
      '  ok    line 3: ann change on default, feature: allow (feature-branches)',
      '  ok    line 4: bot-7 invoke_query find_user on default, main: allow (two-queries-only)',
      '  ok    line 5: bot-7 invoke_query other on default, main: deny (no rule)',
      '  ok    line 6: new read on work, main: allow (agents-read-and-look-up)',
      '6 cases, 0 not as expected.',
      '',
    ]);
  });

  test('exits with 1 if a case is not as expected', async () => {
    await put('policy.yaml', example);
    await put('cases.json', '[{"actor":"eve","action":"read","expect":"allow"}]');
    const { code, stdout } = await sandbox.run(['policy', 'check', 'policy.yaml', '--cases', 'cases.json']);
    expect(code).toBe(1);
    expect(stdout).toContain('WRONG line 1: eve read on default, main: deny (no rule)');
  });

  test.each([
    [
      'an unknown key',
      '- { actor: a, action: read, expects: allow }',
      'has no key "expects". Did you mean "expect"?',
    ],
    ['no action', '- { actor: a, expect: allow }', 'a case needs "action"'],
    ['another expectation', '- { actor: a, action: read, expect: maybe }', 'expect cannot be "maybe"'],
    ['no list', 'actor: a', 'the file of cases must be a list'],
  ])('refuses cases with %s', async (_, cases, message) => {
    await put('policy.yaml', example);
    await put('cases.yaml', cases);
    const { code, stderr } = await sandbox.run(['policy', 'check', 'policy.yaml', '--cases', 'cases.yaml']);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe('trust 23: names that exist nowhere', () => {
  const policy = `version: 1
groups: { team: [ann, annn] }
rules:
  - { id: readers, allow: { actors: { group: team }, actions: [read], graphs: [work, wrk, stored] } }
  - { id: guests, allow: { actors: { group: geusts }, actions: [read] } }
  - { id: known, allow: { actors: { group: guests }, actions: [read] } }
  - { id: bot, allow: { actors: { actor: bto }, actions: [invoke_query], queries: [find, fnid] } }
  - { id: elsewhere, allow: { actors: { actor: bot }, actions: [invoke_query], queries: [find], graphs: [stored] } }
`;
  const warnings = [
    'the group team names the actor "annn", which has no token. Did you mean "ann"?',
    'the rule readers names the graph "wrk", which neither the configuration nor the store has. Did you mean "work"?',
    'the rule guests names the group "geusts", which no token and no policy puts anybody into. Did you mean "guests"?',
    'the rule bot names the actor "bto", which has no token. Did you mean "bot"?',
    'the rule bot names the query "fnid", which no graph has as a stored query. Did you mean "find"?',
    'the rule elsewhere names the query "find", which no graph has as a stored query.',
  ];

  async function configured(auth = 'auth: { tokens: { file: tokens.json } }'): Promise<void> {
    await sandbox.run(['graph', 'create', 'stored', '--store', 'team.db']);
    await put(
      'tokens.json',
      JSON.stringify({ ann: longToken('a'), bot: { hash: longToken('b'), groups: ['guests'] } }),
    );
    await put('find.gq', 'query find() { match { $p: Person } return { $p } }');
    await put(
      'trellis.yaml',
      `store: team.db
${auth}
policy: { file: policy.yaml }
graphs: { work: { queries: { find: { file: find.gq } } } }
`,
    );
  }
  const longToken = (letter: string) => letter.repeat(40);

  test('are warned of by policy check and config check', async () => {
    await configured();
    await put('policy.yaml', policy);
    const checked = await sandbox.run(['policy', 'check']);
    expect(checked).toMatchObject({ code: 0 });
    expect(checked.stdout.split('\n').slice(1, -1)).toEqual(warnings.map((line) => `warning: ${line}`));
    const json = await sandbox.run(['policy', 'check', '--json']);
    expect(JSON.parse(json.stdout).warnings).toEqual(warnings);
    const config = await sandbox.run(['config', 'check', '--json']);
    expect(JSON.parse(config.stdout).warnings).toEqual(
      warnings.map((line) => `${sandbox.path('policy.yaml')}: ${line}`),
    );
  });

  test('are found in Cedar too', async () => {
    await configured();
    await put(
      'trellis.yaml',
      `store: team.db
auth: { tokens: { file: tokens.json } }
policy: { file: p.cedar }
graphs: { work: {} }
`,
    );
    await put(
      'p.cedar',
      `permit(principal in Group::"geusts", action == Action::"read", resource in Graph::"wrk");
permit(principal == Actor::"ann", action == Action::"invoke_query", resource == StoredQuery::"work/find");
`,
    );
    const { stdout } = await sandbox.run(['policy', 'check', '--json']);
    expect(JSON.parse(stdout).warnings).toEqual([
      expect.stringContaining('the rule line 1 names the group "geusts"'),
      expect.stringContaining('the rule line 1 names the graph "wrk"'),
      'the rule line 2 names the query "find", which no graph has as a stored query.',
    ]);
  });

  test('are not looked for where an identity provider may know them, nor without a configuration', async () => {
    await configured('auth: { oidc: { issuer: "https://i.example", audience: a } }');
    await put('policy.yaml', policy);
    const { stdout } = await sandbox.run(['policy', 'check', '--json']);
    expect(JSON.parse(stdout).warnings.map((line: string) => line.split(' ').slice(3, 5).join(' '))).toEqual([
      'names the',
      'names the',
      'names the',
    ]);
    expect(stdout).not.toMatch(/the actor|the group "/);
    await rm(sandbox.path('trellis.yaml'));
    expect((await sandbox.run(['policy', 'check', 'policy.yaml'])).stdout).not.toContain('warning');
  });
});

test('trust 23: a configuration with auth and no policy says that nobody may do anything yet', async () => {
  await put('trellis.yaml', 'auth: { tokens: { file: tokens.json } }\n');
  await put('tokens.json', '{}');
  expect((await sandbox.run(['config', 'check'])).stdout).toContain(
    'warning: No policy is configured, so nobody may do anything yet',
  );
});

describe('trust 23: policy explain', () => {
  const rule = (extra = '') =>
    `version: 1\nrules: [{ id: guests-read, allow: { actors: { group: guests }, actions: [read]${extra} } }]\n`;
  const verdict = async (...flags: string[]) => {
    const { code, stdout, stderr } = await sandbox.run([
      'policy',
      'explain',
      '--actor',
      'ann',
      '--json',
      ...flags,
    ]);
    const read = stdout === '' ? undefined : JSON.parse(stdout).actions[0].allowed;
    return { code, read, stderr };
  };

  test('reads the groups and scopes of the actor from the token file', async () => {
    await put('trellis.yaml', 'auth: { tokens: { file: tokens.json } }\npolicy: { file: policy.yaml }\n');
    await put('policy.yaml', rule(', token_scopes: [look]'));
    await sandbox.run(['token', 'create', '--actor', 'ann', '--groups', 'guests', '--scopes', 'look']);
    const { read, stderr } = await verdict();
    expect(read).toBe(true);
    expect(stderr).toContain(`ann is in guests by its token in ${sandbox.path('tokens.json')}`);
    // What the flags say wins.
    expect((await verdict('--groups', 'others')).read).toBe(false);
    expect((await verdict('--groups', 'guests', '--scopes', 'look')).read).toBe(true);
  });

  test('asks which, if the tokens of an actor say different things, and says if there is none', async () => {
    await put('trellis.yaml', 'auth: { tokens: { file: tokens.json } }\npolicy: { file: policy.yaml }\n');
    await put('policy.yaml', rule());
    await put('tokens.json', '{}');
    const none = await verdict();
    expect(none).toMatchObject({ code: 0, read: false });
    expect(none.stderr).toContain('there is no token of ann in');
    await sandbox.run(['token', 'create', '--actor', 'ann', '--groups', 'guests']);
    await sandbox.run(['token', 'create', '--actor', 'ann']);
    const unclear = await verdict();
    expect(unclear.code).toBe(2);
    expect(unclear.stderr).toMatch(/ann has 2 tokens that say different things: .*groups guests.*no groups/);
    expect((await verdict('--groups', 'guests')).read).toBe(true);
  });
});

describe('policy explain', () => {
  test('shows actions, the tools of each surface, and the rules', async () => {
    await put('policy.yaml', example);
    const { code, stdout, stderr } = await sandbox.run([
      'policy',
      'explain',
      '--actor',
      'ann',
      '--graph',
      'work',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}branch_create {2}allowed by feature-branches$/m);
    expect(stdout).toMatch(/^ {2}schema_apply {3}denied$/m);
    expect(stdout).toMatch(/^ {2}read_graph +allowed by agents-read-and-look-up$/m);
    expect(stdout).toMatch(/^ {2}create_entities +denied: change$/m);
    expect(stderr).toBe('trellis: there is no graph work yet, so these are the tools of an empty one\n');
  });

  test('knows groups, tenants and branches, and speaks JSON', async () => {
    await put('p.yaml', example);
    const flags = ['--groups', 'team', '--branch', 'feature', '--policy', 'p.yaml', '--json'];
    const { stdout } = await sandbox.run(['policy', 'explain', '--actor', 'new', ...flags]);
    const { surfaces, actions } = JSON.parse(stdout);
    expect(actions).toContainEqual({ action: 'read', allowed: true, rules: ['agents-read-and-look-up'] });
    const memory = surfaces.find(({ surface }: { surface: string }) => surface === 'memory');
    expect(memory.tools).toContainEqual({
      tool: 'create_entities',
      allowed: true,
      rules: ['feature-branches'],
      denied: [],
      shown: true,
    });
  });

  test('tells what is allowed and still no tool, as queries of one’s own are until mcp.allow_adhoc says so', async () => {
    await put('policy.yaml', example);
    const toolsOf = async () => {
      const { stdout } = await sandbox.run([
        'policy',
        'explain',
        '--actor',
        'ann',
        '--policy',
        'policy.yaml',
      ]);
      return stdout;
    };
    expect(await toolsOf()).toMatch(
      /^ {2}query +allowed by .+, but not shown as a tool: see mcp\.allow_adhoc$/m,
    );
    await put('trellis.yaml', 'mcp: { allow_adhoc: true }\n');
    expect(await toolsOf()).toMatch(/^ {2}query +allowed by agents-read-and-look-up$/m);
  });

  test('shows somebody unknown that everything is denied', async () => {
    await put('policy.yaml', example);
    const { stdout } = await sandbox.run(['policy', 'explain', '--actor', 'eve']);
    expect(stdout).not.toContain('allowed');
  });
});

describe('without a policy named', () => {
  const rule = (id: string, action: string) =>
    `version: 1\nrules: [{ id: ${id}, allow: { actors: any, actions: [${action}] } }]\n`;

  test('the policy is the one in force on the graph: its own, or that of the server', async () => {
    await put('all.yaml', rule('all-read', 'read'));
    await put('own.yaml', rule('own-change', 'change'));
    await put(
      'trellis.yaml',
      `auth: { tokens: { file: tokens.json } }
policy: { file: all.yaml }
graphs: { work: { policy: { file: own.yaml } }, home: {} }
`,
    );
    const checked = async (...flags: string[]) =>
      JSON.parse((await sandbox.run(['policy', 'check', '--json', ...flags])).stdout).rules;
    expect(await checked('--graph', 'work')).toEqual(['own-change']);
    expect(await checked('--graph', 'home')).toEqual(['all-read']);
    expect(await checked('--graph', 'home', 'own.yaml')).toEqual(['own-change']);
    const explained = await sandbox.run(['policy', 'explain', '--actor', 'ann', '--graph', 'work']);
    expect(explained.stdout).toMatch(/^ {2}change +allowed by own-change$/m);
  });

  test('Cedar is told the branches that the configuration calls protected', async () => {
    await put(
      'p.cedar',
      'permit(principal, action == Action::"change", resource) when { !resource.protected };',
    );
    await put(
      'trellis.yaml',
      'auth: { tokens: { file: tokens.json } }\npolicy: { file: p.cedar, protected_branches: [main] }\n',
    );
    expect((await sandbox.run(['policy', 'check'])).code).toBe(0);
    expect((await sandbox.run(['policy', 'check', 'p.cedar'])).code).toBe(1);
  });
});
