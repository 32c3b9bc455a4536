import { describe, expect, test } from 'vitest';
import { isSameSchemaSource } from './same-schema-source.js';

const source = 'node A { x: I32  note: String @description("a  b") }\nnode B {}';

describe('a schema is the same', () => {
  test.each([
    ['as it is', source],
    ['with other white space', ` node A{x:I32 note: String\r\n@description("a  b")}\n\n\nnode B{ }\n`],
  ])('%s', (_, other) => expect(isSameSchemaSource(source, other)).toBe(true));
});

describe('a schema is another', () => {
  test.each([
    ['where there was none', null, source],
    ['with another property', source, source.replace('x: I32', 'y: I32')],
    ['with other white space in a text', source, source.replace('a  b', 'a b')],
    ['with a comment more', source, `// All of it.\n${source}`],
    ['where white space ends a comment', `// All of it.\n${source}`, `// All of it. ${source}`],
    ['that is none', 'node A { xs: I32 }', 'no de A { x s: I32 }'],
  ])('%s', (_, stored, other) => expect(isSameSchemaSource(stored, other)).toBe(false));
});
