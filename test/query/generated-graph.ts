import fc from 'fast-check';
import type { Json, Props } from '../../src/model/json.js';
import type { Provenance } from '../../src/model/provenance.js';
import type { Scalar, ValueType } from '../../src/model/value-type.js';
import type { Writer } from '../../src/store/writer.js';

const optional = (scalar: Scalar): ValueType => ({ kind: 'scalar', scalar, nullable: true });

/** Values that are alike, or that only look so. */
export const texts = [
  '',
  'a',
  'A',
  'ab',
  'b',
  '1',
  '10',
  '9',
  'é',
  'z',
  '\u{1F600}',
  '\uFFFD',
  'tea and cake',
  'Teas, cakes',
  'a%b_c',
  '"',
];
const pools: Readonly<Record<string, readonly Json[]>> = {
  String: texts,
  Bool: [true, false],
  I32: [-1, 0, 1, 2, 9, 10],
  I64: [-1, 0, 5, '9007199254740993', '1152921504606847232', '9223372036854775807', '-9223372036854775808'],
  U64: [0, 5, '9007199254740993', '9223372036854775808', '9223372036854775809', '18446744073709551615'],
  // Of the large ones JSON writes fewer digits than they have.
  F64: [-1.5, 0, 0.5, 1, 2, 2 ** 53, 2 ** 60 + 256, -(2 ** 63), 2 ** 63, 2 ** 64, 1e21],
  Date: ['2024-01-01', '2024-02-29'],
};

/** A property of the generated graphs, its type, and what it may hold. */
export interface Described {
  readonly name: string;
  readonly type: ValueType;
  readonly values: readonly Json[];
}

const scalarProperty = (name: string, scalar: Scalar): Described => ({
  ...{ name, type: optional(scalar), values: pools[scalar] ?? [] },
});

export const properties: readonly Described[] = [
  scalarProperty('title', 'String'),
  scalarProperty('ok', 'Bool'),
  scalarProperty('age', 'I32'),
  scalarProperty('big', 'I64'),
  scalarProperty('huge', 'U64'),
  scalarProperty('score', 'F64'),
  scalarProperty('born', 'Date'),
  scalarProperty('a"b.c[0]', 'String'),
  {
    ...{ name: 'labels', type: { kind: 'list', of: 'String', nullable: true } },
    values: [[], ['a'], ['a', 'b'], ['1', '"']],
  },
  { name: 'marks', type: { kind: 'list', of: 'I32', nullable: true }, values: [[], [1], [1, 10]] },
  {
    ...{ name: 'place', type: { kind: 'vector', dimension: 2, nullable: true } },
    values: [
      [1, 0],
      [0, 1],
      [0.6, 0.8],
      [-1, 0],
      [0, 0],
      [0.1, 0.7],
    ],
  },
];

/** Fields of a stamp, and what they may say. */
export const stamps: readonly Described[] = [
  { name: 'source', type: optional('String'), values: texts },
  // Sums of these are exact in any order, so two averages are equal on every store or on none.
  { name: 'confidence', type: optional('F64'), values: [0, 0.5, 0.625, 1] },
  {
    ...{ name: 'last_updated', type: optional('DateTime') },
    values: ['2024-02-29T12:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  },
  { name: '_schema_remap_from', type: optional('String'), values: [':Human'] },
];

export const nodeTypes = ['Person', 'City'];
export const edgeTypes = ['knows', 'near'];

/** Some of these, each with one of its values. */
function some(described: readonly Described[]): fc.Arbitrary<Props> {
  return fc
    .tuple(
      ...described.map(({ values }) => fc.option(fc.constantFrom(...values), { freq: 3, nil: undefined })),
    )
    .map((values) =>
      Object.fromEntries(
        described.flatMap(({ name }, index): [string, Json][] => {
          const value = values[index];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    );
}

/** Without a schema a property may have the name of a field of the stamp, and hold anything. */
const namesakes: readonly Described[] = [
  { name: 'source', type: optional('String'), values: ['a', 1, true, ['a']] },
  { name: 'confidence', type: optional('F64'), values: [0.5, '0.5'] },
];

const withNamesakes: fc.Arbitrary<Props> = fc
  .tuple(some(properties), fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, some(namesakes)))
  .map(([own, others]) => ({ ...own, ...others }));

/** What happens to a graph; a seed that was found without stamps means the same history only without them. */
function historyOf(stamped: boolean) {
  const props = stamped ? withNamesakes : some(properties);
  const provenance: fc.Arbitrary<Provenance | null> = stamped
    ? fc.oneof(fc.constant(null), some(stamps))
    : fc.constant(null);
  /** A node that is written, or written anew. */
  const nodeStep = fc.record({
    kind: fc.constant('node' as const),
    type: fc.constantFrom(...nodeTypes),
    name: fc.constantFrom('p', 'q', 'r', 's', 'É', "t'"),
    props,
    provenance,
    summary: fc.option(fc.constantFrom(...texts), { nil: null }),
    tags: fc.subarray(['a', 'b', '1']),
    observations: fc.array(fc.constantFrom(...texts.filter((text) => text !== '')), { maxLength: 2 }),
  });
  const edgeStep = fc.record({
    kind: fc.constant('edge' as const),
    type: fc.constantFrom(...edgeTypes),
    ...{ from: fc.nat({ max: 11 }), to: fc.nat({ max: 11 }) },
    key: fc.constantFrom('', '', '', 'k', 'l'),
    props,
    provenance,
  });
  const removeStep = fc.record({
    kind: fc.constant('remove' as const),
    name: fc.constantFrom('p', 'q', 'r'),
  });
  /** Steps of one commit. */
  const commit = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: nodeStep },
      { weight: 8, arbitrary: edgeStep },
      { weight: 1, arbitrary: removeStep },
    ),
    { maxLength: 16 },
  );
  /** A first commit with enough in it for most queries to find something. */
  const firstCommit = fc
    .tuple(
      fc.array(nodeStep, { minLength: 6, maxLength: 10 }),
      fc.array(edgeStep, { minLength: 6, maxLength: 12 }),
      commit,
    )
    .map(([nodes, edges, others]) => [...nodes, ...edges, ...others]);
  return fc.record({ before: firstCommit, branch: commit, after: commit });
}

/** What happens to main before it is forked, to the branch, and to main after that. */
export const generatedHistory = historyOf(true);
export const unstampedHistory = historyOf(false);
export type History = typeof generatedHistory extends fc.Arbitrary<infer T> ? T : never;
export type Steps = History['before'];

/** Writes the steps of one commit. */
export async function applySteps(writer: Writer, steps: Steps): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'node') await writeNode(writer, step);
    else if (step.kind === 'edge') await writeEdge(writer, step);
    else await writer.removeNodes((await writer.nodesNamed([step.name])).map(({ id }) => id));
  }
}

async function writeNode(writer: Writer, step: Extract<Steps[number], { kind: 'node' }>): Promise<void> {
  const { type, name, provenance: stamp } = step;
  const known = (await writer.identitiesNamed([name])).find((identity) => identity.type === type);
  const node = known?.node ?? (await writer.addIdentities([{ type, name }]))[0]?.node ?? 0;
  const [before] = await writer.nodesById([node]);
  await writer.putNodes([
    {
      ...{ id: node, type, name, props: step.props, summary: step.summary, tags: step.tags },
      provenance: stamp,
      ...(before === undefined ? {} : { order: before.order }),
    },
  ]);
  await writer.putObservations(step.observations.map((text) => ({ node, text })));
}

async function writeEdge(
  writer: Writer,
  { from, to, type, key, props: held, provenance: stamp }: Extract<Steps[number], { kind: 'edge' }>,
): Promise<void> {
  const nodes = await writer.nodes();
  const [a, b] = [nodes[from % Math.max(1, nodes.length)], nodes[to % Math.max(1, nodes.length)]];
  if (a === undefined || b === undefined) return;
  const ends = { from: a.id, to: b.id, fromName: a.name, toName: b.name };
  await writer.putEdges([{ ...ends, type, key, props: held, provenance: stamp }]);
}
