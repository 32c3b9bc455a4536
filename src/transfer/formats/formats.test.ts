import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { csvLine } from './csv-format.js';
import { dotFormat } from './dot-format.js';
import type { DrawnNode } from './drawing-format.js';
import { graphmlFormat } from './graphml-format.js';
import { markdownNote, NoteNames } from './markdown-note.js';
import { mermaidFormat } from './mermaid-format.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        ...'"\\<>&[]|#`*_{}();:\n\r\t-=!',
        'a',
        'é',
        '😀',
        '\u202e',
        '<img onerror=x>',
        ']]>',
        '-->',
      ),
    )
    .map((parts) => parts.join('')),
);

function named(name: string, more: Partial<DrawnNode> = {}): DrawnNode {
  return { type: 'person', name, summary: null, tags: [], props: {}, observations: [], ...more };
}

describe('a text in an export stays a text', () => {
  test('CSV reads back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { maxLength: 5 }), (rows) => {
        expect(readCsv(rows.map(csvLine).join(''))).toEqual(rows);
      }),
    );
  });

  test('a DOT label has no quote that ends it', () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(dotFormat.node(1, named(name))).toMatch(/^ {2}n1 \[label="(?:[^"\\\n\r]|\\[n"\\])*"\];\n$/);
      }),
    );
  });

  test('GraphML has no markup and no forbidden character in its data', () => {
    fc.assert(
      fc.property(text, (name) => {
        const [, value = '<'] =
          /<data key="name">(.*?)<\/data>/s.exec(graphmlFormat.node(1, named(name))) ?? [];
        expect(value).toMatch(/^(?:[^<>&\p{Cc}\uFFFE\uFFFF]|[\t\n\x85]|&(?:amp|lt|gt|#13);)*$/u);
      }),
    );
  });

  test('a Mermaid label has nothing but letters, signs without meaning, entities and line breaks', () => {
    fc.assert(
      fc.property(text, (name) => {
        const [, label = '"'] =
          /^ {2}n1\["(.*)"\]\n$/s.exec(mermaidFormat.node(1, named(name, { type: '' }))) ?? [];
        expect(label.replaceAll('<br/>', '').replaceAll(/#\d+;/g, '')).not.toMatch(/["<>[\]{}|#&;`\n\r]/);
      }),
    );
  });

  test('the front matter of a note reads back as it was', () => {
    fc.assert(
      fc.property(text, (value) => {
        const note = markdownNote(named('x', { tags: [value], props: { p: value } }), { out: [], in: [] });
        const [, front = ''] = /^---\n(.*?)\n---\n/s.exec(note) ?? [];
        expect(parse(front)).toEqual({ p: value, type: 'person', tags: [value] });
      }),
    );
  });

  test('an observation makes no link, tag, heading or HTML of its own', () => {
    const hostile = '[[Other]] #tag <b>\n# Heading\n1. one `code` **bold** _it_ snake_case';
    expect(markdownNote(named('x', { type: '', observations: [hostile] }), { out: [], in: [] })).toBe(
      '# x\n\n- \\[\\[Other\\]\\] \\#tag \\<b\\>\n  \\# Heading\n  1\\. one \\`code\\` \\*\\*bold\\*\\* \\_it\\_ snake_case\n\n<!-- trellis -->\n',
    );
  });
});

test('a note links to both ends, by file and name', () => {
  const note = markdownNote(named('Ada', { summary: 'A founder', observations: ['Writes'] }), {
    out: [{ type: 'works_on', name: 'a/b', file: 'a-b' }],
    in: [{ type: 'knows', name: 'Bob', file: 'Bob' }],
  });
  expect(note).toBe(
    '---\ntype: person\n---\n\n# Ada\n\nA founder\n\n- Writes\n\n## Relations\n\n- works_on → [[a-b|a/b]]\n\n## Mentioned by\n\n- [[Bob]] → knows\n\n<!-- trellis -->\n',
  );
});

test('every note has a file name that every system accepts, and none has that of another', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          text,
          fc.constantFrom('a', 'A', 'a (2)', 'CON', 'con.', '.', '..', '', 'x'.repeat(400), '../../etc'),
        ),
      ),
      (names) => {
        const given = new NoteNames();
        const files = names.map((name) => given.nameFor(name));
        for (const file of files) {
          expect(file).toMatch(
            /^[^\\/:*?"<>|#^[\]\p{Cc}.\s](?:[^\\/:*?"<>|#^[\]\p{Cc}]*[^\\/:*?"<>|#^[\]\p{Cc}.\s])?$/u,
          );
          expect(Buffer.byteLength(`${file}.md`)).toBeLessThan(255);
        }
        expect(new Set(files.map((file) => file.normalize('NFC').toLowerCase())).size).toBe(files.length);
      },
    ),
  );
});

function readCsv(given: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of given.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
