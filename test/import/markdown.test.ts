import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeFolder } from '../../src/cli/transfer/write-folder.js';
import { openInMemorySqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { readerSource } from '../../src/transfer/export-source.js';
import { times } from '../helpers/full.js';
import { anyGraph, fill } from './any-graph.js';
import { contentOf, folderOf, imported, importInto, scanned, scratchFolder } from './imported.js';

test('export as Markdown and import is the identity, but for edges between two names without a note', async () => {
  const folder = await scratchFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(anyGraph, async ({ nodes, edges }) => {
      run += 1;
      const path = join(folder, String(run));
      const names = new Set(nodes.map(({ name }) => name));
      const [before, after] = await Promise.all([openInMemorySqliteStore(), openInMemorySqliteStore()]);
      try {
        for (const store of [before, after]) await store.createGraph('default');
        await fill(before, {
          nodes,
          edges: edges.filter(({ from, to }) => names.has(from) || names.has(to)),
        });
        await before.read({ graph: 'default' }, (reader) =>
          writeFolder(readerSource(reader), 'markdown', path, false),
        );
        if (nodes.length > 0) expect((await importInto(after, path)).kind).toBe('markdown');
        expect(await contentOf(after)).toEqual(await contentOf(before));
      } finally {
        await Promise.all([before.close(), after.close()]);
      }
    }),
    { numRuns: times(60, 250) },
  );
});

test('what cannot be in a note is reported by the export', async () => {
  const store = await openInMemorySqliteStore();
  await store.createGraph('default');
  await fill(store, { nodes: [], edges: [{ from: 'A', to: 'B', type: 'knows' }] });
  const path = join(await scratchFolder(), 'notes');
  const written = await store.read({ graph: 'default' }, (reader) =>
    writeFolder(readerSource(reader), 'markdown', path, false),
  );
  expect(written.leftOut[0]).toContain('1 relation between names without a note');
  await store.close();
});

test('a note of Trellis that a person edited keeps the edits', async () => {
  const folder = await folderOf({
    'Ann.md':
      '---\ntype: person\n---\n\n# Ann\n\n- old\n- new fact\n\n## Relations\n\n- knows → [[Bob]]\n- likes → [[Tea]]\n\n<!-- trellis {"edges":[{"type":"knows","to":"Bob","weight":0.5}]} -->\n',
  });
  const { nodes, edges } = await imported(folder);
  expect(nodes).toMatchObject([{ name: 'Ann', type: 'person', observations: ['old', 'new fact'] }]);
  expect(edges).toMatchObject([
    { type: 'knows', to: 'Bob', weight: 0.5 },
    { type: 'likes', to: 'Tea', weight: 1 },
  ]);
});

const vault = {
  '.obsidian/app.json': '{}',
  '.trash/Gone.md': '# Gone',
  'People/Ann.md': [
    '---\r\ntags: [friend, work/team]\r\nage: 40\r\nborn: 1986-05-01\r\nboss: "[[Bob]]"\r\naliases: [Annie]\r\n---',
    '# Ann\r\n\r\nMet at [[Projects/Trellis#Start|the project]].',
    '## Likes\r\n- tea #drink\r\n  - green\r\n- [ ] ask her about `[[code]]`',
    '### When\r\nAlways.\r\nReally.\r\n\r\nparent:: [[Eve]]\r\n\r\n```\r\n# not a heading [[not a link]]\r\n```\r\n![[photo.png]] ![[Bob]]\r\n',
  ].join('\r\n\r\n'),
  'People/Bob.md': 'See [Ann](Ann.md), [web](https://example.com/x.md) and [[annie]] and [[Nobody]].\n',
  'Projects/Trellis.md': 'A project\n=========\n\n1. first\n2. second\n\n---\n\nlast\n',
  'Projects/Bob.md': '[[People/Bob]] [[Bob]]',
  'Projects/photo.png': 'x',
};

test('an Obsidian vault: front matter, headings, bullets and links', async () => {
  const { kind, nodes, edges } = await imported(await folderOf(vault));
  expect(kind).toBe('markdown');
  const byName = new Map(nodes.map((node) => [node.name, node]));
  expect([...byName.keys()].sort()).toEqual(['Ann', 'Bob', 'Projects/Bob', 'Trellis']);
  expect(byName.get('Ann')).toEqual({
    ...{ name: 'Ann', type: 'note', summary: null, tags: ['friend', 'work/team', 'drink'] },
    props: { age: 40, born: '1986-05-01', boss: '[[Bob]]', aliases: ['Annie'] },
    observations: [
      'Met at [[Projects/Trellis#Start|the project]].',
      'Likes: tea #drink\n  - green',
      'Likes: [ ] ask her about `[[code]]`',
      'Likes > When: Always.\nReally.',
      'Likes > When: parent:: [[Eve]]',
      'Likes > When: ```\n# not a heading [[not a link]]\n```',
      'Likes > When: ![[photo.png]] ![[Bob]]',
    ],
  });
  expect(byName.get('Trellis')?.observations).toEqual([
    'A project: first',
    'A project: second',
    'A project: last',
  ]);
  expect(edges.map(({ from, type, to }) => `${from} ${type} ${to}`).sort()).toEqual([
    'Ann boss Bob',
    'Ann embeds Bob',
    'Ann links_to Trellis',
    'Ann parent Eve',
    'Bob links_to Ann',
    'Bob links_to Nobody',
    'Projects/Bob links_to Bob',
  ]);
});

test('notes that link in a circle are imported once', async () => {
  const folder = await folderOf({ 'A.md': '[[B]]', 'B.md': '[[C]]', 'C.md': '[[A]] [[C]]' });
  expect((await imported(folder)).edges).toHaveLength(3);
});

test('basic-memory: observations and relations as list items', async () => {
  const folder = await folderOf({
    'coffee/brewing.md':
      '---\ntitle: Coffee Brewing\ntype: guide\npermalink: coffee/brewing\ntags: [coffee]\nstatus: draft\n---\n\n# Coffee Brewing\n\nAn overview.\n\n## Observations\n- [method] Pour over #clean (by hand)\n- [x] done\n\n## Relations\n- requires [[Grinding]] (fresh)\n- "based on" [[beans/origins]]\n- see also [[Grinding]]\n',
    'beans/origins.md': '---\ntitle: Bean Origins\npermalink: beans/origins\n---\n\n# Bean Origins\n',
  });
  expect(await imported(folder)).toEqual({
    kind: 'basic-memory',
    nodes: [
      {
        ...{ name: 'Bean Origins', type: 'note', summary: null, tags: [], observations: [] },
        props: { permalink: 'beans/origins' },
      },
      {
        ...{ name: 'Coffee Brewing', type: 'guide', summary: null, tags: ['coffee', 'clean'] },
        props: { permalink: 'coffee/brewing', status: 'draft' },
        observations: [
          'An overview.',
          '[method] Pour over #clean (by hand)',
          '[x] done',
          'see also [[Grinding]]',
        ],
      },
    ],
    edges: [
      { from: 'Coffee Brewing', type: 'based on', to: 'Bean Origins', key: '', weight: 1, props: {} },
      { from: 'Coffee Brewing', type: 'links_to', to: 'Grinding', key: '', weight: 1, props: {} },
      {
        from: 'Coffee Brewing',
        type: 'requires',
        to: 'Grinding',
        key: '',
        weight: 1,
        props: { context: 'fresh' },
      },
    ],
  });
});

const bomb = `a: &a [x]\n${Array.from({ length: 9 }, (_, n) => `${'bcdefghij'[n]}: &${'bcdefghij'[n]} [${Array(9).fill(`*${'abcdefghij'[n]}`).join(',')}]`).join('\n')}`;
test.each<[string, string | Uint8Array, RegExp]>([
  [
    'front matter that is not YAML',
    '---\nok: 1\na: [1\n---\nx',
    /^A\.md [345] has front matter that is not YAML$/,
  ],
  ['an alias bomb', `---\n${bomb}\n---\nx`, /^A\.md 1 has front matter that cannot be read$/],
  [
    'deep nesting',
    `---\na: ${'['.repeat(5_000)}${']'.repeat(5_000)}\n---\nx`,
    /^A\.md \d has front matter that/,
  ],
  [
    'bytes that are not UTF-8',
    Buffer.from('x \xff', 'latin1'),
    /^A\.md 1 or a line after it is not valid UTF-8$/,
  ],
  ['a NUL', 'x \0 y', /^A\.md 1 cannot be stored: .*NUL/],
  ['a huge note', Buffer.alloc(17_000_000, 'x'), /^A\.md 1 is in a note of more than 16777216 bytes$/],
])('%s is unreadable, with its file and line', async (_what, content, reason) => {
  const { unreadable, nodes } = await scanned(await folderOf({ 'A.md': content, 'B.md': 'fine' }));
  expect(unreadable.map(({ file, line, reason: why }) => `${file} ${line} ${why}`)).toEqual([
    expect.stringMatching(reason),
  ]);
  expect(nodes).toBe(1);
});

test('a link that leads out of the vault is not followed, and one that stays is read once', async () => {
  const outside = await folderOf({ 'secret.md': 'secret' });
  const folder = await folderOf({ 'A.md': 'a' });
  await symlink(join(outside, 'secret.md'), join(folder, 'stolen.md'));
  await symlink(outside, join(folder, 'all'));
  await symlink(join(folder, 'A.md'), join(folder, 'again.md'));
  await symlink(folder, join(folder, 'loop'));
  const { nodes, unreadable } = await scanned(folder);
  expect({ nodes, files: unreadable.map(({ file }) => file) }).toEqual({
    nodes: 1,
    files: ['all', 'stolen.md'],
  });
});

test.each([
  ...[
    '[',
    '[[',
    '[[a',
    '[[a|',
    '[[a#',
    '[](',
    '[](a',
    '![',
    '`',
    '` ',
    '# ',
    '#',
    '- ',
    '---\n',
    '> ',
    '\n',
    ' ',
    '*',
  ],
  ...['a → [[', '<!-- trellis {', '\n<!-- trellis -->\n', '#1', '~~~\n', 'a:: ', '"', '(', '\\t', '# a / '],
])('a note of 100,000 times %j is read', async (part) => {
  const noise = part.repeat(100_000);
  const folder = await folderOf({
    'A.md': noise,
    'B.md': `# B ${noise}x`,
    'C.md': `---\ntitle: C\n---\n\n- ${noise} [[A]]`,
    'D.md': `# D\n\n${noise}x\n\n<!-- trellis -->\n`,
  });
  for (const from of ['markdown', 'basic-memory']) {
    const { nodes, unreadable } = await scanned(folder, { from });
    expect(nodes + unreadable.length).toBeGreaterThanOrEqual(4);
  }
  expect((await scanned(folder)).kind).toBe('markdown');
});
