import type { Json, Props } from '../../model/json.js';
import type { BoundStatement } from '../bound-mutation.js';
import type {
  AssignedValue,
  CheckedAssignments,
  CheckedStatement,
  Constant,
} from '../check/checked-query.js';
import { bindBlock } from './bind-conditions.js';
import type { BoundValues } from './bound-values.js';
import { constantTruth } from './constant-truth.js';

export function bindStatement(statement: CheckedStatement, values: BoundValues): BoundStatement {
  switch (statement.kind) {
    case 'insert-node': {
      const { kind, type, name } = statement;
      return {
        kind,
        type,
        name: name && idText(name, values),
        props: splitAssignments(statement.values, values).set,
      };
    }
    case 'insert-edge': {
      const { kind, type, from, to } = statement;
      const { set: props } = splitAssignments(statement.values, values);
      return { kind, type, from: idText(from, values), to: idText(to, values), props };
    }
    case 'update':
    case 'delete': {
      const { of, type, variable } = statement;
      const rows = { of, type, match: bindBlock(statement.block, values), variable };
      if (statement.kind === 'delete') return { kind: 'delete', ...rows };
      return { kind: 'update', ...rows, ...splitAssignments(statement.values, values) };
    }
  }
}

/** The id of a node whose key is a number or a boolean is its text. */
function idText(constant: Constant, values: BoundValues): string {
  return String(values.resolve(constant));
}

function splitAssignments(
  given: CheckedAssignments,
  values: BoundValues,
): { readonly set: Props; readonly unset: readonly string[] } {
  const entries = [...given].map(([name, value]): readonly [string, Json] => [
    name,
    assignedJson(value, values),
  ]);
  return {
    // An own property even if it is named __proto__.
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    unset: entries.filter(([, value]) => value === null).map(([name]) => name),
  };
}

function assignedJson(value: AssignedValue, values: BoundValues): Json {
  if (value === null) return null;
  return value.kind === 'truth' ? constantTruth(value.condition, values) : values.resolve(value);
}
