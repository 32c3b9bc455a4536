import fc from 'fast-check';
import { stampFieldNames } from '../../src/model/provenance.js';
import type { ValueType } from '../../src/model/value-type.js';
import type {
  AggregateFunction,
  BlockAggregate,
  ComparisonOperator,
  Condition,
  Hop,
  NodeVariable,
  Operand,
  PropertyOperand,
  RowQuery,
  RowQueryBlock,
  RowQueryColumn,
  RowQueryExpression,
  Score,
} from '../../src/store/row-query.js';
import { type Described, edgeTypes, properties, stamps, texts } from './generated-graph.js';

/** The variables that a condition can look at. */
interface Seen {
  /** Whether stamps are asked for too. */
  readonly stamped: boolean;
  readonly nodes: readonly string[];
  readonly edges: readonly string[];
}

const string: ValueType = { kind: 'scalar', scalar: 'String', nullable: true };
const strings: ValueType = { kind: 'list', of: 'String', nullable: true };
const ofRow: readonly Described[] = [
  { name: 'id', type: string, values: ['p', 'q', "t'", ...texts] },
  { name: 'name', type: string, values: ['p', 'É', ...texts] },
  { name: 'summary', type: string, values: texts },
  { name: 'tags', type: strings, values: [['a'], ['a', 'b']] },
  { name: 'observations', type: strings, values: [['tea and cake']] },
];
const ofEdge: readonly Described[] = [
  { name: 'from', type: string, values: ['p', 'q', 'r'] },
  { name: 'to', type: string, values: ['p', 'q', 'r'] },
  { name: 'key', type: string, values: ['', 'k'] },
  { name: 'id', type: string, values: ['k', '["p","q"]'] },
  { name: 'identity', type: string, values: ['["p","q","k"]'] },
];

type Chosen = PropertyOperand & { readonly described: Described };

/** A property of some variable that passes a test. */
function property(seen: Seen, open: boolean, test: (described: Described) => boolean): fc.Arbitrary<Chosen> {
  const choices: Chosen[] = [];
  const add = (
    variable: string,
    of: 'node' | 'edge',
    place: PropertyOperand['place'],
    described: readonly Described[],
  ) => {
    for (const each of described.filter(test)) {
      const type = open && place !== 'row' ? null : each.type;
      choices.push({ kind: 'property', variable, of, property: each.name, place, type, described: each });
    }
  };
  for (const id of seen.nodes) {
    add(id, 'node', 'props', properties);
    add(id, 'node', 'row', ofRow);
    if (seen.stamped) add(id, 'node', 'provenance', stamps);
  }
  for (const id of seen.edges) {
    add(id, 'edge', 'props', properties);
    add(id, 'edge', 'row', ofEdge);
    if (seen.stamped) add(id, 'edge', 'provenance', stamps);
  }
  return fc.constantFrom(...choices);
}

function bare({ described: _, ...operand }: Chosen): PropertyOperand {
  return operand;
}

const isScalar = ({ type }: Described) => type.kind === 'scalar';
const isList = ({ type }: Described) => type.kind === 'list';
const isText = ({ type }: Described) => type.kind === 'scalar' && type.scalar === 'String';
const isVector = ({ type }: Described) => type.kind === 'vector';
const isNumber = ({ type }: Described) =>
  type.kind === 'scalar' && ['I32', 'I64', 'U64', 'F64'].includes(type.scalar);
/** Sums of others are rounded in ways that comparisons notice. */
const isSmallNumber = ({ type }: Described) => type.kind === 'scalar' && type.scalar === 'I32';
const scalarOf = ({ type }: Described) => (type.kind === 'scalar' ? type.scalar : null);

function given(described: Described, open: boolean): fc.Arbitrary<Operand> {
  const alike = fc
    .constantFrom(...described.values, ...(open ? [] : [null]))
    .map((value): Operand => ({ kind: 'value', value, type: open ? null : described.type }));
  return isNumber(described) ? fc.oneof(alike, anyNumber) : alike;
}

/** A number of some type, which may be compared with those of any other, and with what has no type. */
const anyNumber: fc.Arbitrary<Operand> = fc
  .constantFrom(...properties.filter(isNumber))
  .chain(({ type, values }) =>
    fc.constantFrom(...values).map((value): Operand => ({ kind: 'value', value, type })),
  );

const orderings: readonly ComparisonOperator[] = ['=', '!=', '<', '<=', '>', '>='];

function comparison(seen: Seen, open: boolean): fc.Arbitrary<Condition> {
  const compare = (operator: ComparisonOperator, left: Operand, right: Operand): Condition => ({
    ...{ kind: 'compare', operator, left, right },
  });
  const withValue = property(seen, open, isScalar).chain((left) =>
    fc
      .tuple(fc.constantFrom(...orderings), given(left.described, open), fc.boolean())
      .map(([operator, value, turned]) =>
        turned ? compare(operator, value, bare(left)) : compare(operator, bare(left), value),
      ),
  );
  const withProperty = property(seen, open, isScalar).chain((left) =>
    fc
      .tuple(
        fc.constantFrom(...orderings),
        // Numbers of all kinds are compared with each other; without a schema, anything is.
        property(
          seen,
          open,
          (other) =>
            isScalar(other) &&
            (open ||
              scalarOf(other) === scalarOf(left.described) ||
              (isNumber(other) && isNumber(left.described))),
        ),
      )
      .map(([operator, right]) => compare(operator, bare(left), bare(right))),
  );
  const ofText = fc
    .tuple(
      property(seen, open, isText),
      fc.constantFrom<ComparisonOperator>('contains', 'starts_with'),
      fc.constantFrom(...texts),
    )
    .map(([left, operator, value]) =>
      compare(operator, bare(left), { kind: 'value', value, type: open ? null : string }),
    );
  const ofList = property(seen, open, isList).chain((list) =>
    fc.constantFrom(...(list.described.name === 'marks' ? [1, 10, 2] : ['a', 'b', '1', '"'])).map((value) =>
      compare('contains', bare(list), {
        ...{ kind: 'value', value },
        type: open
          ? null
          : list.described.name === 'marks'
            ? { kind: 'scalar', scalar: 'I32', nullable: false }
            : string,
      }),
    ),
  );
  const inList = property(seen, open, isScalar).chain((left) =>
    fc
      .constantFrom(left.described, ...(isNumber(left.described) ? properties.filter(isNumber) : []))
      .chain((like) =>
        fc.subarray([...like.values]).map((values) =>
          compare('in', bare(left), {
            kind: 'value',
            value: values,
            type:
              (open && like === left.described) || like.type.kind !== 'scalar'
                ? null
                : { kind: 'list', of: like.type.scalar, nullable: false },
          }),
        ),
      ),
  );
  const inProperty = fc
    .tuple(
      property(seen, open, isText),
      property(seen, open, ({ name }) => ['labels', 'tags', 'observations'].includes(name)),
    )
    .map(([item, list]) => compare('in', bare(item), bare(list)));
  return fc.oneof({ weight: 4, arbitrary: withValue }, withProperty, ofText, ofList, inList, inProperty);
}

function textCondition(seen: Seen, open: boolean) {
  return fc
    .record({
      kind: fc.constantFrom('search' as const, 'match_text' as const, 'fuzzy' as const),
      operand: property(
        seen,
        open,
        (described) => isText(described) || described.name === 'observations',
      ).map(bare),
      text: fc.constantFrom('tea', 'TEAS', 'cake tea', 'and cake', 'teb', 'kake and', '!', 'a', '"x" OR y*'),
      edits: fc.constantFrom(null, null, 0, 1),
    })
    .map((condition) => (condition.kind === 'fuzzy' ? condition : { ...condition, edits: null }));
}

const bool: ValueType = { kind: 'scalar', scalar: 'Bool', nullable: true };

function truth(seen: Seen, open: boolean, depth: number): fc.Arbitrary<Operand> {
  return condition(seen, open, depth).map(
    (each): Operand => ({ kind: 'truth', condition: each, type: bool }),
  );
}

/** An aggregate over the matches of a block, and what it is alike. */
function blockAggregate(seen: Seen, open: boolean, depth: number): fc.Arbitrary<[BlockAggregate, Described]> {
  return block(seen, open, depth - 1).chain((inside): fc.Arbitrary<[BlockAggregate, Described]> => {
    const inner: Seen = {
      stamped: seen.stamped,
      nodes: [...seen.nodes, ...inside.nodes.map(({ id }) => id)],
      edges: [...seen.edges, ...inside.hops.flatMap(({ variable }) => variable ?? [])],
    };
    const number: ValueType = { kind: 'scalar', scalar: 'F64', nullable: true };
    const figure: Described = { name: 'figure', type: number, values: [0, 1, 2, 2.5] };
    const made = (
      fn: AggregateFunction,
      of: Chosen | null,
      alike: Described,
    ): [BlockAggregate, Described] => [
      {
        ...{ kind: 'block-aggregate', fn, of: of === null ? null : bare(of), block: inside },
        type: alike === figure ? number : (of?.type ?? null),
      },
      alike,
    ];
    return fc.oneof(
      fc.constant(made('count', null, figure)),
      fc
        .tuple(fc.constantFrom('sum' as const, 'avg' as const), property(inner, open, isSmallNumber))
        .map(([fn, of]) => made(fn, of, figure)),
      fc
        .tuple(fc.constantFrom('min' as const, 'max' as const), property(inner, open, isScalar))
        .map(([fn, of]) => made(fn, of, of.described)),
    );
  });
}

let names = 0;

function condition(seen: Seen, open: boolean, depth: number): fc.Arbitrary<Condition> {
  const leaves: fc.Arbitrary<Condition>[] = [
    comparison(seen, open),
    property(seen, open, () => true).chain((operand) =>
      fc.boolean().map((negated): Condition => ({ kind: 'is-null', operand: bare(operand), negated })),
    ),
    textCondition(seen, open),
    fc
      .tuple(fc.constantFrom(...seen.nodes), fc.constantFrom(...seen.nodes))
      .map(([left, right]): Condition => ({ kind: 'same', of: 'node', left, right })),
  ];
  if (depth === 0) return fc.oneof({ weight: 4, arbitrary: comparison(seen, open) }, ...leaves.slice(1));
  const inner = condition(seen, open, depth - 1);
  const compareTruths = fc
    .tuple(
      truth(seen, open, depth - 1),
      fc.constantFrom('=' as const, '!=' as const),
      truth(seen, open, depth - 1),
    )
    .map(([left, operator, right]): Condition => ({ kind: 'compare', operator, left, right }));
  const isUnknown = fc
    .tuple(truth(seen, open, depth - 1), fc.boolean())
    .map(([operand, negated]): Condition => ({ kind: 'is-null', operand, negated }));
  const compareAggregate = blockAggregate(seen, open, depth).chain(([left, alike]) =>
    fc
      .tuple(
        fc.constantFrom(...orderings),
        fc.oneof(
          given(alike, open),
          property(
            seen,
            open,
            (other) => (isNumber(other) && isNumber(alike)) || scalarOf(other) === scalarOf(alike),
          ).map(bare),
        ),
      )
      .map(([operator, right]): Condition => ({ kind: 'compare', operator, left, right })),
  );
  return fc.oneof(
    ...leaves,
    compareTruths,
    isUnknown,
    compareAggregate,
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(inner, { minLength: 1, maxLength: 3 }))
      .map(([kind, conditions]): Condition => ({ kind, conditions })),
    inner.map((each): Condition => ({ kind: 'not', condition: each })),
    fc
      .tuple(block(seen, open, depth - 1), fc.boolean())
      .map(([inside, negated]): Condition => ({ kind: 'exists', block: inside, negated })),
  );
}

const types = fc.constantFrom<readonly string[] | null>(['Person'], ['City'], ['Person', 'City'], null);

function hop(nodes: readonly string[]): fc.Arbitrary<Hop> {
  return fc
    .record({
      ...{
        from: fc.constantFrom(...nodes),
        to: fc.constantFrom(...nodes),
        edge: fc.constantFrom(...edgeTypes),
      },
      direction: fc.constantFrom('out' as const, 'in' as const, 'both' as const),
      range: fc.constantFrom<[number, number]>([1, 1], [1, 1], [1, 1], [1, 3], [2, 3], [0, 2], [2, 2]),
      named: fc.boolean(),
    })
    .map(({ range: [min, max], named, ...rest }) => {
      const single = min === 1 && max === 1;
      return { ...rest, min, max, variable: single && named ? `w${names++}` : null };
    });
}

/** A block that adds some variables to those around it. */
function block(outer: Seen, open: boolean, depth: number, least = 0): fc.Arbitrary<RowQueryBlock> {
  return fc
    .array(types, { minLength: least, maxLength: outer.nodes.length === 0 ? 3 : 2 })
    .chain((chosen) => {
      const nodes: NodeVariable[] = chosen.map((each) => ({ id: `n${names++}`, types: each }));
      const ids = [...outer.nodes, ...nodes.map(({ id }) => id)];
      return fc.array(hop(ids), { maxLength: 2 }).chain((hops) => {
        const seen = {
          stamped: outer.stamped,
          nodes: ids,
          edges: [...outer.edges, ...hops.flatMap(({ variable }) => variable ?? [])],
        };
        return fc
          .oneof(
            { weight: 1, arbitrary: fc.constant([]) },
            { weight: 3, arbitrary: fc.array(condition(seen, open, depth), { minLength: 1, maxLength: 1 }) },
            { weight: 1, arbitrary: fc.array(condition(seen, open, depth), { minLength: 2, maxLength: 2 }) },
          )
          .map((conditions): RowQueryBlock => ({ nodes, hops, conditions }));
      });
    });
}

function score(seen: Seen, open: boolean): fc.Arbitrary<Score> {
  const nodes = { ...seen, edges: [] };
  const nearest = property(nodes, open, isVector).map(
    (operand): Score => ({
      ...{ kind: 'nearest', operand: bare(operand), vector: [0.6, 0.8] },
    }),
  );
  const bm25 = fc
    .tuple(
      property(nodes, open, (described) => isText(described) || described.name === 'observations'),
      fc.constantFrom('tea', 'cakes and tea', 'nothing', 'A b é 10', '"'),
    )
    .map(([operand, text]): Score => ({ kind: 'bm25', operand: bare(operand), text }));
  return fc.oneof(
    nearest,
    bm25,
    fc.tuple(nearest, bm25).map(([a, b]): Score => ({ kind: 'rrf', arms: [a, b], k: 60 })),
  );
}

/** With a schema that declares a property of the same name, a field of the stamp is not shown. */
function whole(open: boolean) {
  const stamped = open ? stampFieldNames : stampFieldNames.filter((name) => name !== 'source');
  return { hidden: ['place'], stamped };
}

function plainExpression(seen: Seen, open: boolean): fc.Arbitrary<RowQueryExpression> {
  return fc.oneof(
    { weight: 6, arbitrary: property(seen, open, () => true).map(bare) },
    fc
      .constantFrom(...seen.nodes)
      .map((variable): RowQueryExpression => ({ kind: 'node', variable, ...whole(open) })),
    ...(seen.edges.length === 0
      ? []
      : [
          fc
            .constantFrom(...seen.edges)
            .map((variable): RowQueryExpression => ({ kind: 'edge', variable, ...whole(open) })),
        ]),
    truth(seen, open, 1),
    blockAggregate(seen, open, 1).map(([operand]) => operand),
    fc.constantFrom('x', 1).map((value): RowQueryExpression => ({ kind: 'value', value, type: null })),
  );
}

function aggregate(seen: Seen, open: boolean): fc.Arbitrary<RowQueryExpression> {
  return fc.oneof(
    fc.constantFrom(...seen.nodes).map(
      (variable): RowQueryExpression => ({
        ...{ kind: 'aggregate', fn: 'count', of: { kind: 'node', variable } },
      }),
    ),
    property(seen, open, () => true).map(
      (of): RowQueryExpression => ({ kind: 'aggregate', fn: 'count', of: bare(of) }),
    ),
    fc
      .tuple(
        fc.constantFrom('sum' as const, 'avg' as const),
        property(seen, open, (described) => isNumber(described) || (open && described.name === 'title')),
      )
      .map(([fn, of]): RowQueryExpression => ({ kind: 'aggregate', fn, of: bare(of) })),
    fc
      .tuple(fc.constantFrom('min' as const, 'max' as const), property(seen, open, isScalar))
      .map(([fn, of]): RowQueryExpression => ({ kind: 'aggregate', fn, of: bare(of) })),
  );
}

/** A query that a checker would let pass, on a graph with the schema of the generated ones or without. */
export const generatedQuery = queryOf(true);
export const unstampedQuery = queryOf(false);

function queryOf(stamped: boolean): fc.Arbitrary<RowQuery> {
  return fc.tuple(fc.boolean(), fc.boolean()).chain(([open, grouped]) =>
    block({ stamped, nodes: [], edges: [] }, open, 2, 1).chain((match) => {
      const seen: Seen = {
        stamped,
        nodes: match.nodes.map(({ id }) => id),
        edges: match.hops.flatMap(({ variable }) => variable ?? []),
      };
      const limit = fc.constantFrom(null, null, null, null, 0, 1, 2, 3, 4, 5);
      const named = (expressions: readonly RowQueryExpression[]): RowQueryColumn[] =>
        expressions.map((expression, index) => ({ name: `c${index}`, expression }));
      if (grouped)
        return fc
          .record({
            by: fc.array(plainExpression(seen, open), { maxLength: 2 }),
            aggregates: fc.array(aggregate(seen, open), { minLength: 1, maxLength: 2 }),
            order: fc.array(fc.record({ nth: fc.nat(), descending: fc.boolean() }), { maxLength: 2 }),
            limit,
          })
          .map(({ by, aggregates, order, limit: most }): RowQuery => {
            const expressions = [...by, ...aggregates];
            return {
              ...{ match, columns: named(expressions), grouped, limit: most },
              order: order.map(({ nth, descending }) => ({
                expression: expressions[nth % expressions.length] as RowQueryExpression,
                descending,
              })),
            };
          });
      return fc
        .record({
          columns: fc.array(
            fc.oneof({ weight: 5, arbitrary: plainExpression(seen, open) }, score(seen, open)),
            { minLength: 1, maxLength: 3 },
          ),
          scored: fc.option(score(seen, open), { freq: 4, nil: undefined }),
          order: fc.array(fc.record({ expression: plainExpression(seen, open), descending: fc.boolean() }), {
            maxLength: 2,
          }),
          limit,
        })
        .map(
          ({ columns, scored, order, limit: most }): RowQuery => ({
            ...{ match, columns: named(columns), grouped, limit: most },
            order: [
              ...(scored === undefined
                ? []
                : [{ expression: scored, descending: scored.kind !== 'nearest' }]),
              ...order,
            ],
          }),
        );
    }),
  );
}
