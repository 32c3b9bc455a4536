import { parse as parseToml, stringify as stringifyToml } from '@decimalturn/toml-patch';
import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml, stringify as stringifyYaml } from 'yaml';
import type { ConfigEditor, EntryPlace } from '../../src/install/config-editor.js';
import { jsonEditor } from '../../src/install/edit-json.js';
import { tomlEditor } from '../../src/install/edit-toml.js';
import { yamlEditor } from '../../src/install/edit-yaml.js';
import { UnreadableConfig } from '../../src/install/unreadable-config.js';

const entry = { command: '/usr/bin/node', args: ['/opt/a b/trellis.js', 'stdio'] };
const place: EntryPlace = { key: 'servers', name: 'trellis', isList: false };

interface Format {
  readonly editor: ConfigEditor;
  readonly parse: (text: string) => unknown;
  readonly write: (value: object) => string;
}

const formats: Readonly<Record<string, Format>> = {
  json: {
    editor: jsonEditor,
    parse: (text) => parseJsonc(text),
    write: (value) => JSON.stringify(value, null, 2),
  },
  toml: { editor: tomlEditor, parse: (text) => ({ ...parseToml(text) }), write: stringifyToml },
  yaml: {
    editor: yamlEditor,
    parse: (text) => parseYaml(text) ?? {},
    write: (value) => stringifyYaml(value),
  },
};

const word = fc
  .stringMatching(/^[a-z][a-z0-9_-]{0,8}$/)
  .filter((name) => name !== 'trellis' && name !== 'servers');
const leaf = fc.oneof(
  word,
  fc.integer({ min: -1000, max: 1000 }),
  fc.boolean(),
  fc.array(word, { maxLength: 3 }),
);
const server = fc.record({ command: word, args: fc.array(word, { maxLength: 3 }) });
const config = fc.record(
  {
    servers: fc.dictionary(word, server, { minKeys: 1, maxKeys: 4 }),
    other: fc.dictionary(word, leaf, { maxKeys: 4 }),
  },
  { requiredKeys: [] },
);

describe.each(Object.entries(formats))('%s', (_, { editor, parse, write }) => {
  const same = (left: unknown, right: unknown) => expect(plain(left)).toEqual(plain(right));

  test('an entry is added, found, not added twice, and removed; everything else stays', () => {
    fc.assert(
      fc.property(config, fc.boolean(), fc.boolean(), (given, ended, windows) => {
        const written = Object.keys(given).length === 0 ? '' : write(given);
        const lines = ended ? `${written.trimEnd()}\n` : written.trimEnd();
        const text = windows ? lines.replaceAll('\n', '\r\n') : lines;
        expect(editor.read(text, place)).toBeUndefined();
        const added = editor.set(text, place, entry);
        same(editor.read(added, place), entry);
        same(parse(added), { ...given, servers: { ...given.servers, trellis: entry } });
        expect(editor.set(added, place, entry)).toBe(added);
        const removed = plain(parse(editor.remove(added, place))) as { servers?: object };
        if (Object.keys(removed.servers ?? {}).length === 0) delete removed.servers;
        same(removed, given);
      }),
      { numRuns: 300 },
    );
  });
});

describe('every other byte stays', () => {
  test.each([
    [
      'json',
      jsonEditor,
      '{\n\t// mine\n\t"servers": {\n\t\t"docs": { "command": "docs" }, // keep\n\t},\n\t"b": 1\n}\n',
    ],
    ['json', jsonEditor, '\uFEFF{\r\n    "b": 1\r\n}'],
    [
      'toml',
      tomlEditor,
      '# mine\nmodel = "o3"   # best\n\n[servers.docs]  # keep\ncommand = "docs"\nargs = [ "-a",  "b" ]\n\n[profiles.x]\na = 1\n',
    ],
    ['toml', tomlEditor, 'servers = { docs = { command = "docs" } } # inline\n'],
    [
      'yaml',
      yamlEditor,
      '# mine\nservers:\n    docs:   # keep\n        cmd: "docs"\n        args: [ a,  b ]\n\n# end\nother: |\n  text\n',
    ],
    ['yaml', yamlEditor, 'other: 1\nservers:\n'],
  ] as const)('%s: %#', (_, editor, text) => {
    const added = editor.set(text, place, entry);
    expect(isSubsequence(text, added)).toBe(true);
    expect(added).toMatchSnapshot();
  });
});

test.each([
  ['{\n  "a": 1, // mine\n  "servers": {\n    "docs": {} // keep\n  }\n}\n', ' // behind\n    // end'],
  ['{\n  "servers": {\n    "docs": {}, /* keep */\n  },\n}\n', ''],
  ['{ "servers": { "docs": {} /* keep */ } }', ' /* behind */'],
])('comments around an entry in JSON stay when it is removed: %#', (text, behind) => {
  const added = jsonEditor.set(text, place, entry).replace(/("trellis": \{[^}]*\},?)/, `$1${behind}`);
  const removed = jsonEditor.remove(added, place);
  expect(parseJsonc(removed)).toEqual(parseJsonc(text));
  const comments = (json: string) => json.match(/\/\/.*|\/\*.*?\*\//g);
  expect(comments(removed)).toEqual(comments(added));
});

describe('what users write behind the entry stays when it is removed', () => {
  const docs = '[servers.docs]\ncommand = "docs" \n';
  test.each([
    ['toml', tomlEditor, docs, '# mine'],
    ['toml', tomlEditor, docs, '\n# mine\n[tui]\na = 1\n'],
    ['toml', tomlEditor, '', '\n# mine\n[servers.other] # theirs\ncommand = "other"\n\n# end\n'],
    ['yaml', yamlEditor, 'servers:\n  docs: 1\n', '  # mine\nother: 1 # end'],
  ] as const)('%s: %#', (_, editor, before, behind) => {
    const added = editor.set(before, place, entry);
    expect(editor.remove(added + behind, place)).toBe(before + behind);
  });
});

test('a list of servers in YAML', () => {
  const list: EntryPlace = { ...place, isList: true };
  const text = 'name: a\nservers:\n  - name: docs\n    command: docs # keep\nlast: 1\n';
  const added = yamlEditor.set(text, list, { name: 'trellis', ...entry });
  expect(parseYaml(added)).toEqual({
    name: 'a',
    servers: [
      { name: 'docs', command: 'docs' },
      { name: 'trellis', ...entry },
    ],
    last: 1,
  });
  expect(yamlEditor.remove(added, list)).toBe(text);
  expect(yamlEditor.read(added, list)).toEqual({ name: 'trellis', ...entry });
});

test.each([
  ['json', jsonEditor, '{\n  "a": 1\n  "b": 2\n}', 3],
  ['json', jsonEditor, '[1]', 1],
  ['json', jsonEditor, '{\n  "servers": []\n}', 2],
  ['toml', tomlEditor, 'a = 1\nb = \n', 2],
  ['yaml', yamlEditor, 'a: 1\n\tb: 2\n', 2],
  ['yaml', yamlEditor, 'a: 1\nservers: [x]\n', 2],
  ['yaml', yamlEditor, 'a: 1\nservers: { docs: { cmd: x } }\n', 2],
] as const)('%s that cannot be edited is refused with its line: %#', (_, editor, text, line) => {
  for (const act of [
    () => editor.set(text, place, entry),
    () => editor.read(text, place),
    () => editor.remove(text, place),
  ])
    expect(act).toThrow(expect.objectContaining({ constructor: UnreadableConfig, line }));
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}

/** Without the prototypes of parsers. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null));
}
