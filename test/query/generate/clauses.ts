import { formatValueType } from '../../../src/language/format-value-type.js';
import type { Json } from '../../../src/model/json.js';
import type { ValueType } from '../../../src/model/value-type.js';
import type { EdgeType, GraphSchema, Property } from '../../../src/schema/graph/graph-schema.js';
import type { Choices } from './choices.js';
import { literal, value } from './values.js';

/** A variable that may be spoken of. */
export type Known =
  | { readonly kind: 'node'; readonly name: string; readonly types: readonly string[] }
  | { readonly kind: 'edge'; readonly name: string; readonly type: EdgeType };

/** What a query that is being written has so far. */
export class QueryText {
  readonly choose: Choices;
  readonly schema: GraphSchema;
  readonly #parameters: { readonly type: ValueType; readonly value: Json }[] = [];
  #variables = 0;

  constructor(choose: Choices, schema: GraphSchema) {
    this.choose = choose;
    this.schema = schema;
  }

  newName(): string {
    this.#variables += 1;
    return `v${this.#variables}`;
  }

  get variables(): number {
    return this.#variables;
  }

  /** A value of a type: a literal, or a parameter, which may be null. */
  constant(type: ValueType): string {
    const required = { ...type, nullable: false };
    if (!this.choose.chance(30) || type.kind === 'enum')
      return literal(value(this.choose, required), required);
    const declared = { ...type, nullable: this.choose.chance(40) };
    return this.parameter(declared, value(this.choose, declared));
  }

  parameter(type: ValueType, given: Json): string {
    this.#parameters.push({ type, value: given });
    return `$p${this.#parameters.length}`;
  }

  declarations(): string {
    return this.#parameters.map(({ type }, index) => `$p${index + 1}: ${formatValueType(type)}`).join(', ');
  }

  /** Those that are null may as well be missing. */
  parameters(): Record<string, Json> {
    const given = this.#parameters.map(({ value: json }, index): [string, Json] => [`p${index + 1}`, json]);
    return Object.fromEntries(given.filter(([, json]) => json !== null || this.choose.chance(50)));
  }
}

type Predicates = (text: QueryText, known: readonly Known[]) => string;

const mostVariables = 7;

/** The clauses of a block, which adds to what is known within it. */
export function clauses(text: QueryText, known: Known[], depth: number, predicate: Predicates): string[] {
  const { choose } = text;
  const lines: string[] = [];
  if (known.length === 0 || choose.chance(20)) lines.push(binding(text, known, predicate));
  for (let more = choose.int(depth === 0 ? 0 : 1, 2); more > 0; more--) {
    if (text.variables < mostVariables) lines.push(...traversal(text, known, depth));
  }
  if (choose.chance(10)) lines.push(...rebinding(text, known));
  lines.push(...choose.times(0, 2, () => predicate(text, known)));
  if (depth < 2 && text.variables < mostVariables && choose.chance(35)) {
    lines.push(innerBlock(text, known, depth, predicate));
  }
  // Their order means nothing.
  return choose.chance(20) ? lines.reverse() : lines;
}

/** `not` or `exists`, about something that is known outside. */
function innerBlock(text: QueryText, known: readonly Known[], depth: number, predicate: Predicates): string {
  const { choose } = text;
  const inner = [...known];
  const lines = clauses(text, inner, depth + 1, predicate);
  const mentioned = known.some(({ name }) => lines.some((line) => new RegExp(`\\$${name}\\b`).test(line)));
  if (!mentioned) lines.push(predicate(text, known));
  const block = `{ ${lines.join('  ')} }`;
  return choose.chance(40) ? aggregateBlock(text, inner, block) : `${choose.one(['not', 'exists'])} ${block}`;
}

/** `count { … }` and the like, compared with something. */
function aggregateBlock(text: QueryText, inner: readonly Known[], block: string): string {
  const { choose, schema } = text;
  const operator = choose.one(['=', '!=', '<', '<=', '>', '>=']);
  const numbers = inner.flatMap((variable) => {
    const types =
      variable.kind === 'edge' ? [variable.type] : variable.types.map((type) => schema.nodes.get(type));
    // Sums of these are exact.
    return ['count', 'size', 'weight'].flatMap((name) =>
      types.every((type) => /^[IU]32$/.test(scalarOf(type?.properties.get(name))))
        ? [`$${variable.name}.${name}`]
        : [],
    );
  });
  if (numbers.length === 0 || choose.chance(50)) return `count ${block} ${operator} ${choose.int(0, 3)}`;
  return `${choose.one(['sum', 'avg', 'min', 'max'])}(${choose.one(numbers)}) ${block} ${operator} ${choose.int(0, 7)}`;
}

function scalarOf(property: Property | undefined): string {
  return property?.type.kind === 'scalar' ? property.type.scalar : '';
}

function typesOf({ nodes, interfaces }: GraphSchema, name: string): readonly string[] {
  if (!interfaces.has(name)) return [name];
  return [...nodes.values()].filter((type) => type.implements.includes(name)).map((type) => type.name);
}

function binding(text: QueryText, known: Known[], predicate: Predicates): string {
  const { choose, schema } = text;
  const type = choose.one([...schema.nodes.keys(), ...schema.nodes.keys(), ...schema.interfaces.keys()]);
  const variable: Known = { kind: 'node', name: text.newName(), types: typesOf(schema, type) };
  known.push(variable);
  // A predicate that it is equal to something can also stand in the binding.
  const asked = choose.chance(30)
    ? /^\$v\d+\.(\w+) = ([^$]+|\$p\d+)$/.exec(predicate(text, [variable]))
    : null;
  const given = asked === null ? '' : ` { ${asked[1]}: ${asked[2]} }`;
  return `$${variable.name}: ${type}${given}`;
}

/** A binding of something that is bound already: the same node. */
function rebinding({ choose }: QueryText, known: readonly Known[]): string[] {
  const clear = known.flatMap((variable) =>
    variable.kind === 'node' && variable.types.length === 1
      ? [`$${variable.name}: ${variable.types[0]}`]
      : [],
  );
  return clear.length === 0 ? [] : [choose.one(clear)];
}

/** A way along an edge from something that is known, in whichever direction fits; nothing if none leads on. */
function traversal(text: QueryText, known: Known[], depth: number): string[] {
  const { choose, schema } = text;
  const sources = known
    .filter((variable) => variable.kind === 'node')
    // What an inner block says of a variable does not narrow its types, so it only speaks of clear ones.
    .filter((variable) => depth === 0 || variable.types.length === 1);
  const ways = sources.flatMap((source) =>
    // Where several types fit an edge in both directions, the order of the clauses would decide.
    [...schema.edges.values()]
      .filter(({ from, to }) => from === to || source.types.length === 1)
      .flatMap((edge) => [
        ...(source.types.includes(edge.from) ? [{ source, edge, leadsTo: edge.to, forward: true }] : []),
        ...(source.types.includes(edge.to) ? [{ source, edge, leadsTo: edge.from, forward: false }] : []),
      ]),
  );
  if (ways.length === 0) return [];
  const { source, edge, leadsTo, forward } = choose.one(ways);
  // Only nodes at this end of the edge are left.
  known[known.indexOf(source)] = { ...source, types: [forward ? edge.from : edge.to] };
  const others = sources.filter(
    (other) => other !== source && other.types.length === 1 && other.types[0] === leadsTo,
  );
  const isLoop = edge.from === edge.to && source.types.length === 1 && choose.chance(10);
  const target = isLoop
    ? source.name
    : others.length > 0 && choose.chance(25)
      ? choose.one(others).name
      : choose.chance(20)
        ? '_'
        : undefined;
  const name = target ?? text.newName();
  if (target === undefined) known.push({ kind: 'node', name, types: [leadsTo] });
  const edgeName = `${edge.name.charAt(0).toLowerCase()}${edge.name.slice(1)}`;
  const isSame = edge.from === edge.to;
  const written = isSame && choose.chance(30) ? `<${edgeName}>` : edgeName;
  // Written from either end, the direction is found.
  const isTurned = !isSame && choose.chance(40) && name !== '_';
  const [a, b] = isSame || forward !== isTurned ? [source.name, name] : [name, source.name];
  if (choose.chance(30)) {
    const variable = text.newName();
    known.push({ kind: 'edge', name: variable, type: edge });
    return [`$${a} $${variable}: ${written} $${b}`];
  }
  const least = choose.int(1, 2);
  const hops = choose.chance(isSame ? 50 : 10) ? `{${least},${choose.int(least, 4)}}` : '';
  return [`$${a} ${written}${hops} $${b}`];
}
