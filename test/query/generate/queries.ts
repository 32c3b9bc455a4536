import type { Json } from '../../../src/model/json.js';
import type { GraphSchema } from '../../../src/schema/graph/graph-schema.js';
import type { Choices } from './choices.js';
import { clauses, type Known, QueryText } from './clauses.js';
import { predicate, propertiesOf, textProperties, truth } from './predicates.js';

/** A query that is well typed, with values for its parameters. */
export interface GeneratedQuery {
  readonly source: string;
  readonly parameters: Readonly<Record<string, Json>>;
}

export interface QueryOptions {
  /** Whether to rank by `nearest`, `bm25` and `rrf`; yes, if it is not said. */
  readonly scores?: boolean;
}

/** A read of every kind: blocks in blocks, groups, orders with ties and with nulls, ranks. */
export function readQuery(
  choose: Choices,
  schema: GraphSchema,
  { scores = true }: QueryOptions = {},
): GeneratedQuery {
  const text = new QueryText(choose, schema);
  const known: Known[] = [];
  const matched = clauses(text, known, 0, predicate);
  const tail = choose.chance(30)
    ? grouped(text, known)
    : scores && choose.chance(25)
      ? (ranked(text, known) ?? plain(text, known))
      : plain(text, known);
  const declared = text.declarations();
  return {
    source: `query q(${declared}) {\n  match {\n${matched.map((line) => `    ${line}\n`).join('')}  }\n${tail}}\n`,
    parameters: text.parameters(),
  };
}

const unordered = (type: string) => type.startsWith('[') || type.startsWith('Vector') || type === 'Blob';

/** Expressions of single rows, and those of them that have an order. */
function expressions(text: QueryText, known: readonly Known[]) {
  const properties = known.flatMap((variable) =>
    propertiesOf(text, variable).map((property) => ({
      text: `$${variable.name}.${property.name}`,
      type: property.typeText,
    })),
  );
  return { properties, sortable: properties.filter(({ type }) => !unordered(type.replace('?', ''))) };
}

/** Each expression once, some under another name. */
function columns(text: QueryText, wanted: readonly string[]): { line: string; names: string[] } {
  const names: string[] = [];
  const parts = [...new Set(wanted)].map((expression, index) => {
    if (!text.choose.chance(50) && !expression.includes('(') && !/^["\d-]/.test(expression))
      return expression;
    names.push(`c${index}`);
    return `${expression} as c${index}`;
  });
  return { line: parts.join(text.choose.chance(80) ? ', ' : ' '), names };
}

function orderOf(text: QueryText, keys: readonly string[], least = 0): string {
  const { choose } = text;
  if (keys.length === 0) return '';
  const terms = choose.times(least, 3, () => `${choose.one(keys)}${choose.one(['', ' asc', ' desc'])}`);
  return terms.length === 0 ? '' : `  order { ${terms.join(', ')} }\n`;
}

function limitOf(text: QueryText): string {
  const { choose } = text;
  if (!choose.chance(40)) return '';
  return `  limit ${choose.chance(30) ? text.parameter({ kind: 'scalar', scalar: 'I32', nullable: false }, choose.int(1, 6)) : choose.int(1, 6)}\n`;
}

function plain(text: QueryText, known: readonly Known[]): string {
  const { choose } = text;
  const { properties, sortable } = expressions(text, known);
  const wanted = choose.times(1, 4, () =>
    choose.made([
      () => choose.one(properties).text,
      () => choose.one(properties).text,
      () => `$${choose.one(known).name}`,
      () => choose.one(['1', '"x"', 'true']),
      () => `(${truth(text, known)})`,
      () => {
        const searched = textProperties(text, known);
        return searched.length === 0
          ? choose.one(properties).text
          : `search(${choose.one(searched)}, "quick fox")`;
      },
    ]),
  );
  const { line, names } = columns(text, wanted);
  const keys = [
    ...sortable.map((property) => property.text),
    ...(choose.chance(30) ? [truth(text, known)] : []),
    ...names.filter((name) => isSortable(line, name, sortable)),
  ];
  return `  return { ${line} }\n${orderOf(text, keys)}${limitOf(text)}`;
}

/** Whether a column of this name may be ordered by: one whose expression may be, or a truth value. */
function isSortable(line: string, name: string, sortable: readonly { readonly text: string }[]): boolean {
  return sortable.some((property) => line.includes(`${property.text} as ${name}`));
}

function grouped(text: QueryText, known: readonly Known[]): string {
  const { choose } = text;
  const { properties, sortable } = expressions(text, known);
  const numeric = properties.filter(({ type }) => /^(I32|U32|I64|U64|F64)/.test(type));
  const ordered = sortable.filter(({ type }) => !/^enum/.test(type));
  const aggregates = choose.times(1, 3, () =>
    choose.made([
      () => `count($${choose.one(known).name})`,
      () => `count(${choose.one(properties).text})`,
      () => `${choose.one(['count', 'min', 'max'])}(${truth(text, known)})`,
      () =>
        numeric.length === 0 ? 'count(1)' : `${choose.one(['sum', 'avg'])}(${choose.one(numeric).text})`,
      () =>
        ordered.length === 0 ? 'count(1)' : `${choose.one(['min', 'max'])}(${choose.one(ordered).text})`,
    ]),
  );
  const keys = choose.times(0, 2, () => (sortable.length === 0 ? '1' : choose.one(sortable).text));
  const { line, names } = columns(text, [...keys, ...aggregates]);
  const orderKeys = [...names, ...keys.filter((key) => key.startsWith('$'))];
  return `  return { ${line} }\n${orderOf(text, orderKeys)}${limitOf(text)}`;
}

/** An order by how well rows fit, if there is anything to rank by. */
function ranked(text: QueryText, known: readonly Known[]): string | undefined {
  const { choose } = text;
  const nodes = known.filter((variable) => variable.kind === 'node');
  const { properties, sortable } = expressions(text, nodes);
  const vectors = properties.filter(({ type }) => type.startsWith('Vector'));
  const nearest = vectors.map((property) => `nearest(${property.text}, [${choose.int(-2, 2)}, 1])`);
  const bm25 = textProperties(text, nodes).map((property) => `bm25(${property}, "quick fox")`);
  const arms = [...nearest, ...bm25];
  if (arms.length === 0) return undefined;
  const score = choose.chance(30)
    ? `rrf(${choose.one(arms)}, ${choose.one(arms)}${choose.chance(40) ? ', 10' : ''})`
    : choose.one(arms);
  const column = choose.one(properties).text;
  const shown = choose.chance(50) ? `${column}, ${score} as score` : column;
  const first = shown.endsWith('score') && choose.chance(50) ? 'score' : score;
  const rest = choose.chance(50) && sortable.length > 0 ? `, ${choose.one(sortable).text} desc` : '';
  return `  return { ${shown} }\n  order { ${first}${rest} }\n  limit ${choose.int(1, 6)}\n`;
}
