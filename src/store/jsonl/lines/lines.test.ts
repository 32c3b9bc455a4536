import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foreignMembers } from './foreign-members.js';
import { parseJsonlLine } from './parse-jsonl-line.js';
import { printEdge, printNode } from './print-line.js';

const node = { name: 'Ada', type: 'person', observations: ['born 1815'], summary: null, tags: [], props: {} };
const edge = { from: 'Ada', to: 'Bob', type: 'knows', key: '', weight: 1, props: {} };

describe('printing', () => {
  test('fixed keys stand in the order of each format', () => {
    expect(printNode(node, 'memory')).toBe(
      '{"type":"entity","name":"Ada","entityType":"person","observations":["born 1815"]}',
    );
    expect(printEdge(edge, 'memory')).toBe(
      '{"type":"relation","from":"Ada","to":"Bob","relationType":"knows"}',
    );
    expect(printNode(node, 'mesh')).toBe(
      '{"type":"node","name":"Ada","nodeType":"person","metadata":["born 1815"]}',
    );
    expect(printEdge(edge, 'mesh')).toBe(
      '{"type":"edge","from":"Ada","to":"Bob","edgeType":"knows","weight":1}',
    );
  });

  test('what a format has no key for follows, and only if it is not the default', () => {
    expect(printNode({ ...node, summary: 's', tags: ['t'], props: { p: 1 } }, 'memory')).toMatch(
      /\],"summary":"s","tags":\["t"\],"props":\{"p":1\}\}$/,
    );
    expect(printEdge({ ...edge, weight: 0.5, key: 'k' }, 'memory')).toMatch(
      /"knows","weight":0.5,"key":"k"\}$/,
    );
    expect(printEdge({ ...edge, key: 'k' }, 'mesh')).toMatch(/"weight":1,"key":"k"\}$/);
  });

  const text = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0') && value.isWellFormed());
  const format = fc.constantFrom('memory' as const, 'mesh' as const);
  const props = fc.dictionary(text, fc.oneof(text, fc.boolean(), fc.integer(), fc.array(text)));

  test('a printed node is read back as it was, whatever it holds', () => {
    const nodes = fc.record({
      ...{ name: text, type: text, observations: fc.array(text), tags: fc.array(text), props },
      summary: fc.option(text),
    });
    fc.assert(
      fc.property(nodes, format, (content, lineFormat) => {
        const printed = printNode(content, lineFormat);
        expect(printed).not.toContain('\n');
        expect(parseJsonlLine(printed)).toEqual({ kind: 'node', format: lineFormat, ...content });
      }),
    );
  });

  test('a printed edge is read back as it was, whatever it holds', () => {
    const weight = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
    const edges = fc.record({ from: text, to: text, type: text, key: text, weight, props });
    fc.assert(
      fc.property(edges, format, (content, lineFormat) => {
        expect(parseJsonlLine(printEdge(content, lineFormat))).toEqual({
          kind: 'edge',
          format: lineFormat,
          ...content,
        });
      }),
    );
  });
});

describe('reading', () => {
  const unreadable: [string, string, RegExp][] = [
    ['text', 'hello', /not JSON/],
    ['a torn line', '{"type":"entity","name":"A"', /not JSON/],
    ['an array', '[]', /not a JSON object/],
    ['null', 'null', /not a JSON object/],
    ['no type', '{"name":"A"}', /no "type"/],
    ['an unknown type', '{"type":"thing"}', /neither/],
    ['no name', '{"type":"entity","entityType":"t","observations":[]}', /no "name"/],
    [
      'a numeric name',
      '{"type":"entity","name":1,"entityType":"t","observations":[]}',
      /"name" that is not a string/,
    ],
    ['no observations', '{"type":"entity","name":"A","entityType":"t"}', /no "observations"/],
    [
      'observations that are text',
      '{"type":"entity","name":"A","entityType":"t","observations":"x"}',
      /not a list/,
    ],
    [
      'an observation that is null',
      '{"type":"entity","name":"A","entityType":"t","observations":[null]}',
      /item/,
    ],
    ['a NUL', '{"type":"entity","name":"A\\u0000","entityType":"t","observations":[]}', /NUL/],
    [
      'half a surrogate pair',
      '{"type":"entity","name":"\\ud800","entityType":"t","observations":[]}',
      /surrogate/,
    ],
    ['a relation without end', '{"type":"relation","from":"A","relationType":"t"}', /no "to"/],
    ['an edge that is too heavy', '{"type":"edge","from":"A","to":"B","edgeType":"t","weight":2}', /weight/],
    ['100,000 brackets', '['.repeat(100_000), /not JSON|nested/],
    ['100,000 arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /not a JSON object|nested/],
  ];
  test.each(unreadable)('%s is unreadable, with the reason', (_what, line, reason) => {
    expect(parseJsonlLine(line)).toEqual({ kind: 'unreadable', reason: expect.stringMatching(reason) });
  });

  test('__proto__ is a name and a key like any other', () => {
    expect(
      parseJsonlLine('{"type":"entity","name":"__proto__","entityType":"t","observations":[]}'),
    ).toMatchObject({
      name: '__proto__',
    });
    const inherited = '{"__proto__":{"type":"entity","name":"A","entityType":"t","observations":[]}}';
    expect(parseJsonlLine(inherited)).toMatchObject({ kind: 'unreadable' });
    const line = '{"type":"entity","name":"A","entityType":"t","observations":[],"__proto__":{"x":1}}';
    expect(foreignMembers(line)).toEqual([{ key: '__proto__', source: '{"x":1}' }]);
  });

  test('an edge without a weight has the default', () => {
    expect(parseJsonlLine('{"type":"edge","from":"A","to":"B","edgeType":"t"}')).toMatchObject({ weight: 1 });
  });

  test('a key of ours with a value of another shape is somebody else’s', () => {
    const line =
      '{"type":"entity","name":"A","entityType":"t","observations":[],"tags":"red","summary":7,"props":[1]}';
    expect(parseJsonlLine(line)).toMatchObject({ tags: [], summary: null, props: {} });
    expect(foreignMembers(line).map(({ key }) => key)).toEqual(['tags', 'summary', 'props']);
  });
});

describe('unknown keys', () => {
  test('are printed again exactly as they were spelled', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const line = `{ "id" : 12345678901234567890, "type":"entity", "n\\u0061me":"A", "x":{"a":"}\\"]"} ,"entityType":"t","observations":[],"deep":${deep},"last":1.50 }`;
    const foreign = foreignMembers(line);
    expect(printNode({ ...node, name: 'A', type: 't', observations: ['new'] }, 'memory', foreign)).toBe(
      `{"type":"entity","name":"A","entityType":"t","observations":["new"],"id":12345678901234567890,"x":{"a":"}\\"]"},"deep":${deep},"last":1.50}`,
    );
  });

  test('never displace a key of ours', () => {
    const foreign = foreignMembers(
      '{"type":"entity","name":"A","entityType":"t","observations":[],"summary":7}',
    );
    expect(printNode({ ...node, summary: 'real' }, 'memory', foreign)).toContain('"summary":"real"}');
  });

  test('survive printing, whatever they hold', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (extra) => {
        const line = JSON.stringify({
          type: 'entity',
          name: 'A',
          entityType: 't',
          observations: [],
          ...extra,
        });
        if (parseJsonlLine(line).kind !== 'node') return;
        const printed = printNode(
          { ...node, name: 'A', type: 't', observations: [] },
          'memory',
          foreignMembers(line),
        );
        for (const { key } of foreignMembers(line)) {
          expect(Object.getOwnPropertyDescriptor(JSON.parse(printed), key)?.value).toEqual(
            Object.getOwnPropertyDescriptor(JSON.parse(line), key)?.value,
          );
        }
      }),
    );
  });
});
