import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { times } from '../../../test/helpers/full.js';
import { diffFileLines } from './diff-file-lines.js';
import { FileLines, unreadableBytes } from './file-lines.js';

const entity = (name: string, ...observations: string[]) =>
  JSON.stringify({ type: 'entity', name, entityType: 't', observations });
const relation = (from: string, to: string) =>
  JSON.stringify({ type: 'relation', from, to, relationType: 'r' });
const file = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

const ids = new Map<string, number>();
const idsOf = (lines: readonly { record: { name: string } }[]) => {
  for (const { record } of lines) if (!ids.has(record.name)) ids.set(record.name, ids.size + 1);
  return ids;
};

function see(lines: FileLines, content: Buffer) {
  const diff = diffFileLines(lines, content);
  diff.apply(idsOf(diff.delta.nodes));
  return diff;
}

/** What is in the file, in order. */
function texts(lines: FileLines) {
  return {
    nodes: lines.nodes.blocks.flatMap((block) => [...block.lines.values()].map(({ text }) => text)),
    edges: lines.edges.blocks.flatMap((block) => [...block.lines.values()].map(({ text }) => text)),
    unreadable: unreadableBytes(lines.unreadable).toString(),
    format: lines.format,
  };
}

const many = Array.from({ length: 2_000 }, (_, index) => entity(`n${index}`, `fact ${index}`));
const manyEdges = Array.from({ length: 2_000 }, (_, index) => relation(`n${index}`, 'n0'));

describe('seeing what changed in a file', () => {
  test('an appended node and edge are found alone, in a file of thousands', () => {
    const lines = new FileLines();
    see(lines, file(...many, ...manyEdges));
    const { delta } = see(lines, file(...many, entity('new'), ...manyEdges, relation('new', 'n0')));
    expect(delta).toMatchObject({
      removedNodes: [],
      nodes: [{ record: { name: 'new' }, append: true }],
      removedEdges: [],
      edges: [{ record: { from: 'new', to: 'n0' }, append: true }],
    });
  });

  test('a changed line keeps its place, and a removed one goes', () => {
    const lines = new FileLines();
    see(lines, file(...many, ...manyEdges));
    const changed = many.with(700, entity('n700', 'another fact')).toSpliced(1_500, 1);
    const { delta } = see(lines, file(...changed, ...manyEdges));
    expect(delta).toMatchObject({
      removedNodes: ['n1500'],
      nodes: [{ record: { name: 'n700', observations: ['another fact'] }, append: false }],
      edges: [],
    });
  });

  test('a line put first moves all others behind it', () => {
    const lines = new FileLines();
    see(lines, file(entity('A'), entity('B')));
    const { delta } = see(lines, file(entity('C'), entity('A'), entity('B')));
    expect(delta.nodes.map(({ record, append }) => [record.name, append])).toEqual([
      ['C', true],
      ['A', true],
      ['B', true],
    ]);
  });

  test('a repeated name adds to the first one until that goes', () => {
    const lines = new FileLines();
    const first = see(lines, file(entity('A', 'x'), entity('A', 'y')));
    expect(first.warnings).toEqual([
      { number: 2, reason: 'repeats the name "A"', effect: 'adds', repeats: true },
    ]);
    expect(first.delta.nodes).toMatchObject([{ record: { observations: ['x', 'y'] } }]);
    const { delta } = see(lines, file(entity('A', 'y')));
    expect(delta.nodes).toMatchObject([{ record: { observations: ['y'] } }]);
    expect(lines.unreadable).toEqual([]);
  });

  test('unreadable lines are reported once, with their number', () => {
    const lines = new FileLines();
    expect(see(lines, file(entity('A'), '', 'junk', relation('A', 'B'))).warnings).toMatchObject([
      { number: 3 },
    ]);
    expect(see(lines, file(entity('A'), entity('B'), relation('A', 'B'), 'junk')).warnings).toEqual([]);
  });

  test('the first readable line decides the format', () => {
    const lines = new FileLines();
    see(lines, file('junk', '{"type":"node","name":"A","nodeType":"t","metadata":[]}', entity('B')));
    expect(lines.format).toBe('mesh');
    see(lines, file(entity('B')));
    expect(lines.format).toBe('memory');
    see(lines, file());
    expect(lines.format).toBeUndefined();
  });

  test('after any changes, the lines are those a first look at the file finds', () => {
    const name = fc.integer({ min: 0, max: 12 }).map((n) => `n${n}`);
    const line = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(name, fc.constantFrom('x', 'y')).map(([n, fact]) => entity(n, fact)) },
      { weight: 4, arbitrary: fc.tuple(name, name).map(([from, to]) => relation(from, to)) },
      fc.constantFrom('junk', '', '{"type":"thing"}', '\ufeff'),
    );
    const filler = fc.constantFrom(0, 400, 900);
    const content = fc
      .tuple(fc.array(line), filler, fc.array(line))
      .map(([before, upTo, after]) => ({ before, upTo, after }));
    fc.assert(
      fc.property(fc.array(content, { minLength: 2, maxLength: 4 }), fc.boolean(), (contents, newline) => {
        const lines = new FileLines();
        const order: string[] = [];
        for (const { before, upTo, after } of contents) {
          const content = [...before, ...many.slice(100, upTo), ...after];
          const bytes = newline ? file(...content) : file(...content).subarray(0, -1);
          const { delta } = see(lines, bytes);
          const fresh = new FileLines();
          see(fresh, bytes);
          expect(texts(lines)).toEqual(texts(fresh));
          replay(order, delta);
          expect(order).toEqual(texts(fresh).nodes.map((text) => JSON.parse(text).name));
        }
      }),
      { numRuns: times(40, 200) },
    );
  });
});

/** What a graph in which order is creation order makes of the changes. */
function replay(order: string[], delta: ReturnType<typeof diffFileLines>['delta']): void {
  for (const gone of delta.removedNodes) order.splice(order.indexOf(gone), 1);
  for (const { record, append } of delta.nodes) {
    if (append && order.includes(record.name)) order.splice(order.indexOf(record.name), 1);
    if (append) order.push(record.name);
    else expect(order).toContain(record.name);
  }
}
