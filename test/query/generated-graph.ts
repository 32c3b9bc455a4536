import fc from 'fast-check';
import type { Json, Props } from '../../src/model/json.js';
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

export const nodeTypes = ['Person', 'City'];
export const edgeTypes = ['knows', 'near'];

const props: fc.Arbitrary<Props> = fc
  .tuple(
    ...properties.map(({ values }) => fc.option(fc.constantFrom(...values), { freq: 3, nil: undefined })),
  )
  .map((values) =>
    Object.fromEntries(
      properties.flatMap(({ name }, index): [string, Json][] => {
        const value = values[index];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  );

/** A node that is written, or written anew. */
const nodeStep = fc.record({
  kind: fc.constant('node' as const),
  type: fc.constantFrom(...nodeTypes),
  name: fc.constantFrom('p', 'q', 'r', 's', 'É', "t'"),
  props,
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
});
const removeStep = fc.record({ kind: fc.constant('remove' as const), name: fc.constantFrom('p', 'q', 'r') });

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
  .map(([nodes, edges, others]): Steps => [...nodes, ...edges, ...others]);

/** What happens to main before it is forked, to the branch, and to main after that. */
export const generatedHistory = fc.record({ before: firstCommit, branch: commit, after: commit });
export type Steps = typeof commit extends fc.Arbitrary<infer T> ? T : never;

/** Writes the steps of one commit. */
export async function applySteps(writer: Writer, steps: Steps): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'node') await writeNode(writer, step);
    else if (step.kind === 'edge') await writeEdge(writer, step);
    else await writer.removeNodes((await writer.nodesNamed([step.name])).map(({ id }) => id));
  }
}

async function writeNode(writer: Writer, step: Extract<Steps[number], { kind: 'node' }>): Promise<void> {
  const { type, name } = step;
  const known = (await writer.identitiesNamed([name])).find((identity) => identity.type === type);
  const node = known?.node ?? (await writer.addIdentities([{ type, name }]))[0]?.node ?? 0;
  const [before] = await writer.nodesById([node]);
  await writer.putNodes([
    {
      ...{ id: node, type, name, props: step.props, summary: step.summary, tags: step.tags },
      ...(before === undefined ? {} : { order: before.order }),
    },
  ]);
  await writer.putObservations(step.observations.map((text) => ({ node, text })));
}

async function writeEdge(
  writer: Writer,
  { from, to, type, key, props: held }: Extract<Steps[number], { kind: 'edge' }>,
): Promise<void> {
  const nodes = await writer.nodes();
  const [a, b] = [nodes[from % Math.max(1, nodes.length)], nodes[to % Math.max(1, nodes.length)]];
  if (a === undefined || b === undefined) return;
  await writer.putEdges([{ from: a.id, to: b.id, fromName: a.name, toName: b.name, type, key, props: held }]);
}
