import { chmod, readFile, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { PeopleServer, tokenOf } from '../graph/people-server.js';
import { databaseKinds } from '../helpers/stores.js';
import { useSandbox } from './run-cli.js';

const sandbox = useSandbox();

/** An editor that runs a command on the file, `$1`. */
async function editor(script: string): Promise<Record<string, string>> {
  const path = sandbox.path('editor.sh');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return { EDITOR: path };
}

test('types that an error names cannot control the terminal', async () => {
  const run = (...args: string[]) => sandbox.run([...args, '--store', 'memory.db']);
  for (const type of ['a\u001b]0;b\u0007', 'c\rd\u009b\u202e']) await run('add', 'Eve', '--type', type);
  const { code, stderr } = await run('get', 'Eve');
  expect(code).toBe(1);
  expect(stderr).toContain('a\\u{1b}]0;b\\u{7}');
  expect(stderr).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
});

test('wrong arguments are those of the command', async () => {
  const run = (...args: string[]) => sandbox.run([...args, '--store', 'memory.db']);
  await run('add', 'Ada', '--type', 'person');
  const { code, stderr } = await run('search', 'Ada', '--mode', 'magic');
  expect(code).toBe(1);
  expect(stderr).toContain('Invalid arguments for trellis search: mode');
});

describe.each(['memory.db', 'memory.jsonl'])('in %s', (file) => {
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    sandbox.run([...args, '--store', file], env);
  const get = async (name: string) => JSON.parse((await run(['get', name, '--json'])).stdout);

  beforeEach(async () => {
    await run(['add', 'Babbage', '--type', 'person']);
    const facts = ['--observation', 'wrote the first program', '--observation', 'liked horses'];
    await run(['add', 'Ada', '--type', 'person', ...facts, '--relation', 'knows → Babbage']);
  });

  test('add makes a node, or adds facts to one', async () => {
    const added = await run(['add', 'Ada', '--observation', '"two"\nlines', '--relation', 'met -> Babbage']);
    expect(added.stdout).toMatch(/^Saved Ada\. Commit 01\w+\n~ person Ada\n {4}\+ 3\. "\\"two\\"\\nlines"\n/);
    expect(added.stdout).toContain('+ Ada --met--> Babbage\n');
    expect(await run(['get', 'Ada'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^person Ada\n {2}changed {2}2.*\n {2}1\. wrote.*\n {2}2\. liked horses\n {2}3\. ".*\n {2}--knows--> Babbage\n {2}--met--> Babbage\n$/,
      ),
    });
    expect((await run(['get', 'Babbage'])).stdout).toContain('  <--knows-- Ada\n');
  });

  test.each([
    [['add', 'Grace'], 2, /There is no node "Grace" yet\.\n {2}Say what it is with --type/],
    [['add', 'Ada'], 2, /exists already/],
    [['add', 'Ada', '--relation', 'knows Babbage'], 1, /is not a relation/],
    [['add', 'Ada', '--relation', 'knows → Nobody'], 1, /Nobody/],
    [['get', 'ada'], 1, /\[NOT_FOUND\]/],
    [['rm', 'ada'], 1, /\[NOT_FOUND\]/],
    [['rm', 'Ada', '--observation', '9'], 1, /9/],
    [['rm', 'Ada', '--observation', 'x'], 2, /number/],
  ])('%j is refused, and nothing is written', async (args, code, words) => {
    const before = await get('Ada');
    const refused = await run(args);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toMatch(words);
    expect((await get('Ada')).node.observations).toEqual(before.node.observations);
  });

  test('rm deletes observations or the node', async () => {
    expect((await run(['rm', 'Ada', '--observation', '1'])).stdout).toMatch(
      /^Deleted from Ada\. Commit 01\w+\n~ person Ada\n {4}- 1\. wrote the first program\n$/,
    );
    expect((await run(['rm', 'Ada', '--json'])).stdout).toContain('"change": "removed"');
    expect((await run(['get', 'Ada'])).code).toBe(1);
  });

  test('search finds by words, with what matched', async () => {
    const found = await run(['search', 'program', '--mode', 'text']);
    expect(found.stdout).toMatch(/^person Ada {2}2.*Z {2}\w+\n {4}1\. wrote the first program\n$/);
    expect((await run(['search', 'zebra', '--mode', 'text'])).stdout).toBe('Nothing found.\n');
  });

  test('stats counts nodes and types', async () => {
    const { stdout } = await run(['stats']);
    expect(stdout).toMatch(/^nodes +2$/m);
    expect(stdout).toMatch(/^ {2}knows +1$/m);
    expect(JSON.parse((await run(['stats', '--json'])).stdout)).toMatchObject({
      ...{ nodes: 2, edges: 1, node_types: [{ type: 'person', count: 2 }] },
    });
  });

  test('edit saves what was changed in the text as one commit', async () => {
    const env = await editor(`sed -i \\
      -e 's/^summary:/summary: A mathematician/' -e 's/^tags:/tags: pioneer, "a,b"/' \\
      -e 's/^properties:/properties:\\n  born: 1815\\n  city: London/' \\
      -e '/1\\. wrote/d' -e 's/liked horses/loved horses\\n  | and music\\n  + died young/' \\
      -e 's/knows -> Babbage.*/met -> Babbage/' "$1"`);
    const saved = await run(['edit', 'Ada'], env);
    expect(saved).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Saved Ada\. Commit 01/),
    });
    const { node, edges } = await get('Ada');
    expect(node).toMatchObject({
      ...{ summary: 'A mathematician', tags: ['pioneer', 'a,b'], props: { born: 1815, city: 'London' } },
      observations: [
        { ordinal: expect.any(Number), text: 'loved horses\nand music' },
        { ordinal: expect.any(Number), text: 'died young' },
      ],
    });
    expect(edges.out).toMatchObject([{ type: 'met', to: { name: 'Babbage' } }]);
    const again = await run(['edit', 'Ada'], await editor(`grep -q '^tags: pioneer, "a,b"$' "$1"`));
    expect(again.stdout).toBe('Nothing changed.\n');
  });

  test('edit renames the node last', async () => {
    const env = await editor(`sed -i -e 's/^name: Ada/name: Ada Lovelace/' -e 's/liked/loved/' "$1"`);
    expect((await run(['edit', 'Ada'], env)).code).toBe(0);
    expect((await get('Ada Lovelace')).node.observations[1].text).toBe('loved horses');
  });

  test.each([
    ["sed -i 's/1\\. wrote/one: wrote/'", /Line \d+ cannot be read.*An observation starts with its number/s],
    ["sed -i 's/^  2\\./  7./'", /There is no observation 7/],
    ["sed -i 's/^  2\\./  1./'", /1 occurs twice/],
    ["sed -i 's/^type:.*/type:/'", /no type:/],
    ["sed -i 's/^tags:/tasg: x/'", /There is no field tasg/],
    ["sed -i 's/knows -> /knows /'", /is not a relation/],
    ["sed -i 's/knows -> Babbage/knows -> Nobody/'", /Nobody/],
  ])('edit keeps a text that cannot be saved: %s', async (script, words) => {
    const refused = await run(['edit', 'Ada'], await editor(`${script} "$1"`));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(words);
    const [, path = ''] = /Your text is in (\S+)/.exec(refused.stderr) ?? [];
    expect(await readFile(path, 'utf8')).toContain('name: Ada');
    expect((await get('Ada')).node.observations).toHaveLength(2);
  });

  test('edit changes nothing if the editor fails, or there is nothing to change', async () => {
    expect((await run(['edit', 'Ada'], { EDITOR: 'false' })).stderr).toMatch(
      /The editor false failed with 1/,
    );
    expect((await run(['edit', 'Ada'], { VISUAL: 'true', EDITOR: 'false' })).stdout).toBe(
      'Nothing changed.\n',
    );
  });
});

test('recent lists commits with their nodes, and undo --last takes the newest back', async () => {
  await sandbox.run(['add', 'Ada', '--type', 'person', '--as', 'ann', '--message', 'a start']);
  const { stdout } = await sandbox.run(['recent']);
  expect(stdout).toMatch(/^01\w+ .* main {2}ann {2}edit {2}\(\+1 node\) {2}"a start"\n {4}\+ person Ada\n$/);
  expect((await sandbox.run(['undo', '--last', '--dry-run'])).stdout).toContain('- person Ada');
  const { stdout: undone } = await sandbox.run(['undo', '--last']);
  expect(undone).toMatch(/^\S+ .*\nUndid 1 commit\. Commit \S+\n$/);
  expect((await sandbox.run(['get', 'Ada'])).code).toBe(1);
});

describe.each(databaseKinds)('on a server with $kind', (kind) => {
  test('two people edit the same node: the second is refused, and keeps the text', async () => {
    const server = await PeopleServer.start(kind);
    const work = ['--url', server.url, '--graph', 'work'];
    const token = { TRELLIS_TOKEN: tokenOf('boss') };
    try {
      const name = 'Ada / <b> \u202e';
      await sandbox.run(['add', name, '--type', 'person', '--observation', 'liked horses', ...work], token);
      // While the first person's editor is open, somebody else changes the node.
      const other = `${process.execPath} ${new URL('../../dist/bundle/trellis.js', import.meta.url).pathname}`;
      const first = await editor(
        `sed -i s/liked/loved/ "$1"\n${other} add "$NODE" --observation 'was a countess' ${work.join(' ')} > /dev/null`,
      );
      const env = { ...token, ...first, NODE: name };
      const refused = await sandbox.run(['edit', name, ...work], env);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/was changed by boss at .*\[CHANGED_SINCE\]\n.*Your text is in /);
      const [, path = ''] = /Your text is in (\S+)/.exec(refused.stderr) ?? [];
      expect(await readFile(path, 'utf8')).toContain('loved horses');
      const { stdout } = await sandbox.run(['get', name, ...work], token);
      expect(stdout).toContain('person "Ada / <b> \\u{202e}"\n');
      expect(stdout).toContain('  1. liked horses\n  2. was a countess\n');
      const second = await editor('sed -i s/liked/loved/ "$1"');
      expect((await sandbox.run(['edit', name, ...work], { ...token, ...second })).code).toBe(0);
      const denied = await sandbox.run(['rm', name, ...work], { TRELLIS_TOKEN: tokenOf('reader') });
      expect(denied.stderr).toContain('[FORBIDDEN]');
      for (const args of [['search', 'horses'], ['recent'], ['stats']]) {
        const local = ['--store', server.scratch.path, '--graph', 'work'];
        expect(await sandbox.run([...args, ...work], token)).toEqual(await sandbox.run([...args, ...local]));
      }
    } finally {
      await server.close();
    }
  });
});
