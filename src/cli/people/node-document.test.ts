import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentOperations } from './document-operations.js';
import { type PeopleNode, parseDocument, printDocument } from './node-document.js';
import { parseRelation } from './parse-relation.js';

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.stringMatching(/^[ \n|#"+.:,()[\]\->→\u202e\u2028a1]{1,12}$/),
  )
  .filter((value) => value.isWellFormed());

const end = fc.record({ name: text, type: text });

const page: fc.Arbitrary<PeopleNode> = fc.record({
  node: fc.record({
    name: text,
    type: text,
    summary: text,
    tags: fc.uniqueArray(text, { maxLength: 3 }),
    props: fc.dictionary(text, fc.oneof(text, fc.jsonValue({ maxDepth: 1 })), { maxKeys: 4 }),
    observations: fc
      .array(text, { maxLength: 4 })
      .map((texts) => texts.map((one, index) => ({ ordinal: index + 1, text: one }))),
    created_at: fc.constant(''),
    updated_at: fc.constant(''),
  }),
  edges: fc.record({
    out: fc.array(fc.record({ from: end, to: end, type: text, weight: fc.constant(1) }), { maxLength: 3 }),
    in: fc.array(fc.record({ from: end, to: end, type: text, weight: fc.constant(1) }), { maxLength: 3 }),
  }),
});

test('a printed node is read back as it is, whatever it holds', () => {
  fc.assert(
    fc.property(page, (given) => {
      const read = parseDocument(printDocument(given));
      const { name, type, summary, tags, props = {}, observations } = given.node;
      expect(read).toMatchObject({ name, type, summary, tags });
      expect(JSON.stringify([...read.properties])).toBe(JSON.stringify(Object.entries(props)));
      expect([...read.observations]).toEqual(observations.map((one) => [one.ordinal, one.text]));
      expect(read.relations.map(parseRelation)).toEqual(
        given.edges.out.map((edge) => ({ type: edge.type, to: edge.to.name, to_type: edge.to.type })),
      );
      expect(documentOperations(given, read, read)).toEqual([]);
    }),
  );
});
