import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { page, root, section } from './pages.js';

const architecture = page('docs/architecture.md');
const { text } = architecture;
const files = ['src', 'test', 'bench', 'scripts', 'web'].flatMap((folder) =>
  readdirSync(join(root, folder), { encoding: 'utf8', recursive: true }).map(
    (name) => `${folder}/${name.replaceAll('\\', '/')}`,
  ),
);
/** Made by the build. */
const built = ['trellis.js'];

test('every file that the architecture names exists', () => {
  const named = new Set(text.match(/(?<![\w<>./-])[\w./-]+\.(?:ts|js|peggy)\b/g));
  expect(named.size).toBeGreaterThan(50);
  const missing = [...named].filter(
    (name) => !built.includes(name) && !files.some((file) => file === name || file.endsWith(`/${name}`)),
  );
  expect(missing).toEqual([]);
});

test('every folder of the source is in its table', () => {
  const folders = readdirSync(join(root, 'src')).map((name) => `src/${name}/`);
  expect(folders.filter((folder) => !text.includes(`\`${folder}`))).toEqual([]);
});

test('every function and type that it names exists in the source', () => {
  const source = files
    .filter((file) => /^(src|web)\/.*\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const words = new Set(source.match(/\w+/g));
  const quoted = [...text.matchAll(/`#?([\w.#]+)(?:\(\))?`/g)].flatMap(([, name = '']) =>
    name.split(/[.#]+/),
  );
  const outlined = [...text.matchAll(/^ *(\w+)(?:, (\w+))? {2,}/gm)].flatMap((found) => found.slice(1));
  const names = [...quoted, ...outlined].filter((name) =>
    /^(?:[a-z]+[A-Z]|[A-Z]\w*[a-z][A-Z])\w*$/.test(name ?? ''),
  );
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

test('the code that it quotes is the code of the file', () => {
  const quotes = [...text.matchAll(/^```ts\n\/\/ (src\/[\w./-]+).*\n([\s\S]*?)^```$/gm)];
  expect(quotes.length).toBeGreaterThan(1);
  for (const [, path = '', code = ''] of quotes)
    expect(readFileSync(join(root, path), 'utf8')).toContain(code);
});

describe('the steps of', () => {
  const calls = (section(architecture, '## Five calls') ?? '').split(/^### /m).slice(1);
  const byTool = new Map(calls.map((call) => [/`(\w+)`/.exec(call)?.[1], call]));

  test.each(['create_entities', 'search_nodes', 'query', 'write_node', 'branches_merge'])(
    '%s are functions of their files, at most 20',
    (tool) => {
      const steps = [...(byTool.get(tool)?.matchAll(/^\d+\. (.*)$/gm) ?? [])].flatMap(
        ([, step]) => step ?? [],
      );
      expect(steps.length).toBeGreaterThan(10);
      expect(steps.length).toBeLessThanOrEqual(20);
      expect(steps.filter((step) => !isDeclared(step))).toEqual([]);
    },
  );
});

/** Whether a step, such as "`Graph.commit` — `engine/graph.ts`: one write", names a function that its file declares. */
function isDeclared(step: string): boolean {
  const [, name = '', file = ''] = /^`([^`]+)` — `([^`]+)`: \S/.exec(step) ?? [];
  if (!files.includes(`src/${file}`)) return false;
  const source = readFileSync(join(root, 'src', file), 'utf8');
  const [owner = '', member] = name.split('.');
  const isOwned = new RegExp(`^(?:export )?(?:async )?(?:function|class|const) ${owner}\\b`, 'm').test(
    source,
  );
  if (member === undefined) return isOwned;
  return (
    isOwned &&
    new RegExp(`^ +(?:(?:async|static|get|override) )*${member}(?:<.*>)?\\((?!.*;$)`, 'm').test(source)
  );
}
