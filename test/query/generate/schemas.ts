import type { GraphSchema } from '../../../src/schema/graph/graph-schema.js';
import { parseGraphSchema } from '../../../src/schema/graph/parse-graph-schema.js';
import type { Choices } from './choices.js';

/** What a property may be called, and of which type it then is: the same in every type, so that types can be compared. */
const pool: readonly (readonly [name: string, type: string])[] = [
  ['title', 'String'],
  ['note', 'String'],
  ['colour', 'enum(red, green, blue)'],
  ['count', 'I32'],
  ['size', 'U32'],
  ['big', 'I64'],
  ['huge', 'U64'],
  ['ratio', 'F64'],
  ['flag', 'Bool'],
  ['day', 'Date'],
  ['moment', 'DateTime'],
  ['words', '[String]'],
  ['numbers', '[I32]'],
  ['place', 'Vector(2)'],
  ['data', 'Blob'],
  // Hides what every node has.
  ['summary', 'String'],
];

/** A schema of two or three types of nodes, some of which share an interface, and of edges between them. */
export function schema(choose: Choices): GraphSchema {
  const types = ['Ant', 'Bee', 'Cat'].slice(0, choose.int(2, 3));
  const shared = choose.chance(60);
  const nodes = types.map((type, index) => {
    const properties = choose
      .some(pool, 55)
      .map(
        ([name, of]) =>
          `${name}: ${of}${choose.chance(60) ? '?' : ''}${choose.chance(15) && isIndexable(of) ? ' @index' : ''}`,
      );
    const implemented = shared && index < 2 ? ' implements Named' : '';
    return `node ${type}${implemented} { slug: String @key ${properties.join(' ')} }`;
  });
  const edges = [
    `edge Likes: Ant -> Ant { weight: I32? remark: String? }`,
    `edge Owns: Ant -> ${choose.one(types.slice(1))} { weight: I32? }`,
    ...(choose.chance(60) ? [`edge Visits: ${choose.one(types)} -> ${choose.one(types)}`] : []),
    // Several between the same two nodes.
    ...(choose.chance(60)
      ? [
          `edge Calls: ${choose.one(types)} -> ${choose.one(types)} { lane: I32 weight: F64? @key(src, dst, lane) }`,
        ]
      : []),
  ];
  const named = shared ? ['interface Named { label: String rank: I32? }'] : [];
  return parseGraphSchema([...named, ...nodes, ...edges].join('\n'));
}

function isIndexable(type: string): boolean {
  return !type.startsWith('[') && !type.startsWith('Vector') && type !== 'Blob';
}
