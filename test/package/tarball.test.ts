import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callLines, toolAnswer } from '../cli/run-cli.js';

const execute = promisify(execFile);
const { version, dependencies, exports, bin } = JSON.parse(await readFile('package.json', 'utf8'));
let folder = '';
let installed = '';

// What npm would unpack, and beside it only what package.json calls a dependency.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trellis-package-'));
  installed = join(folder, 'node_modules', 'trellis-memory');
  await mkdir(installed, { recursive: true });
  const packing = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const archive = (await execute('npm', packing)).stdout.trim().split('\n').at(-1) ?? '';
  await execute('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components', '1']);
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(resolve('node_modules', name), link);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the packed program, and answers what it prints. */
async function run(args: readonly string[], input = ''): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const running = execute(process.execPath, [join(installed, bin.trellis), ...args], { cwd: folder, env });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

async function call(surface: string, tool: string, args: object): Promise<unknown> {
  return toolAnswer(
    await run(['stdio', '--surface', surface, '--store', 'memory.db'], callLines(tool, args)),
  );
}

test('says its version', async () => {
  expect(await run(['--version'])).toBe(`${version}\n`);
});

test('keeps a memory, ranks what it finds, and embeds it', async () => {
  const rex = { name: 'Rex', entityType: 'dog', observations: ['chews the sofa', 'barks at night'] };
  await call('memory', 'create_entities', { entities: [rex] });
  const ranked = { query: 'sofa night', mode: 'ranked' };
  expect(await call('memory', 'search_nodes', ranked)).toMatchObject({ entities: [rex] });
  expect(await run(['embed', '--again', '--store', 'memory.db'])).toBe('Embedded default: 3 texts.\n');
});

test('brings its sample schemas', async () => {
  await run(['init', '--schemas', 'work', 'schemas']);
  expect(await run(['schema', 'check', 'schemas'])).toContain('task');
});

test('runs a query in the process beside it', async () => {
  await writeFile(
    join(folder, 'work.pg'),
    'node Person { email: String @key }\nedge Knows: Person -> Person',
  );
  await writeFile(join(folder, 'trellis.yaml'), 'store: ./work.db\ngraphs: { work: { schema: work.pg } }');
  await run(['mutate', 'query add() { insert Person { email: "ada" } }', '--graph', 'work']);
  const all = 'query all() { match { $p: Person } return { $p.email as email } }';
  expect(JSON.parse(await run(['query', all, '--graph', 'work', '--json']))).toMatchObject({
    rows: [{ email: 'ada' }],
  });
});

test('decides by a policy', async () => {
  await writeFile(join(folder, 'p.cedar'), 'permit(principal, action == Action::"read", resource);');
  expect(await run(['policy', 'check', 'p.cedar'])).toContain('can be used: 1 rule');
});

test('is a library', async () => {
  const names = Object.keys(exports).filter((name) => name !== './package.json');
  const loaded = names.map((name) => `await import('trellis-memory${name.slice(1)}')`);
  const program = `console.log([${loaded}].map((module) => Object.keys(module).length > 0).join())`;
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(stdout.trim()).toBe(names.map(() => true).join());
});

test('trust 7: opens a store for the gate from the packed library', async () => {
  const program = `
    import { EngineTarget, Gate, InMemorySource } from 'trellis-memory/gate';
    import { ApplicationManager } from 'trellis-memory/compat/memorymesh';
    import { openStore } from 'trellis-memory/store';
    const store = await openStore('library.db');
    const gate = await Gate.open({ source: new InMemorySource({ nodes: [{ label: 'Person' }] }) });
    const fact = { label: 'Person', merge_keys: { name: 'Ada' }, properties: {}, source: 'x', extraction_method: 'api' };
    const author = { actor: 'ada', tool: 'script' };
    const { status } = await gate.writeNode(new EngineTarget(await store.graph()), author, fact);
    const { nodes } = await new ApplicationManager(store).readGraph();
    console.log(status, nodes.map(({ name }) => name).join());
    await store.close();`;
  const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
  expect(stdout.trim()).toBe('written Ada');
});

test('its types need no package that does not come with it', async () => {
  const needed = new Set<string>();
  const seen = new Set<string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = (await readFile(file, 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '');
    for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)) {
      if (name.startsWith('.')) await visit(join(dirname(file), name.replace(/\.js$/, '.d.ts')));
      else needed.add(name);
    }
  };
  for (const { types } of Object.values<{ types?: string }>(exports)) {
    if (types !== undefined) await visit(join(installed, types));
  }
  expect(seen.size).toBeGreaterThan(10);
  expect([...needed].filter((name) => !name.startsWith('node:') && !(name in dependencies))).toEqual([]);
});
