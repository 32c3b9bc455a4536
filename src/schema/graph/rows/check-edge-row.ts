import type { Props } from '../../../model/json.js';
import { keyText } from '../../../model/key-text.js';
import { limits } from '../../../model/limits.js';
import type { EdgeType, GraphSchema } from '../graph-schema.js';
import { checkRowProps } from './check-row-props.js';
import type { CheckedRowProps, RowProblem } from './row-problem.js';
import { unknownTypeProblem } from './unknown-type-problem.js';

export interface CheckedEdgeRow extends CheckedRowProps {
  /** The type as the schema spells it. */
  readonly type: string;
  /** The key that tells it from others of its type between the same nodes; empty if its type has none. */
  readonly key: string;
}

/** The types of the nodes that an edge joins. */
export interface EndpointTypes {
  readonly from: string;
  readonly to: string;
}

/** Holds an edge against a schema; `ends` is null if they are checked elsewhere. */
export function checkEdgeRow(
  schema: GraphSchema,
  type: string,
  given: Props,
  ends: EndpointTypes | null,
): CheckedEdgeRow {
  const edgeType = schema.edges.get(type.toLowerCase());
  if (edgeType === undefined) {
    const names = [...schema.edges.values()].map(({ name }) => name);
    return { type, props: given, key: '', problems: [unknownTypeProblem('edge', type, names)] };
  }
  const { props, problems } = checkRowProps(edgeType, given);
  const all = [...(ends === null ? [] : endpointProblems(edgeType, ends)), ...problems];
  const key = all.length === 0 ? edgeKeyOf(edgeType, props) : '';
  return { type: edgeType.name, props, key, problems: [...all, ...keyProblems(edgeType, key)] };
}

/** The key of an edge, from its properties in canonical form; empty if its type has none. */
export function edgeKeyOf({ key }: EdgeType, props: Props): string {
  return key === null ? '' : keyText(key, props);
}

/** What is wrong with the nodes that an edge of this type joins. */
function endpointProblems({ name, from, to }: EdgeType, ends: EndpointTypes): RowProblem[] {
  return [
    ...(ends.from === from ? [] : [endpointProblem(`${name} leads from ${from}, not from ${ends.from}.`)]),
    ...(ends.to === to ? [] : [endpointProblem(`${name} leads to ${to}, not to ${ends.to}.`)]),
  ];
}

function endpointProblem(message: string): RowProblem {
  return { code: 'wrong_end', property: null, message };
}

function keyProblems({ name, key }: EdgeType, text: string): RowProblem[] {
  if (text.length <= limits.nameLength) return [];
  const message = `The key of ${name} must have at most ${limits.nameLength} characters, but has ${text.length}.`;
  return [{ code: 'bad_key', property: key?.[0] ?? null, message }];
}
