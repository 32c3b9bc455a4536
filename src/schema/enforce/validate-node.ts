import type { Props } from '../../model/json.js';
import type { Violation } from '../../model/violation.js';
import type { NodeDraft } from '../../store/drafts.js';
import type { ValidatedNode } from '../../store/write-validator.js';
import type { GraphSchema, NodeType } from '../graph/graph-schema.js';
import { checkNodeRow } from '../graph/rows/check-node-row.js';
import { keyFromName } from './key-from-name.js';
import { rowHint } from './row-hint.js';

/** A node without key properties gets them from its name. */
export function validateNode(schema: GraphSchema, given: NodeDraft): Omit<ValidatedNode, 'old'> {
  if (given.stub === true) return { draft: given, violations: [] };
  const { type, name } = given;
  const nodeType = schema.nodes.get(type);
  const full = withKeyFromName(nodeType, name, given.props ?? {});
  const { props, id, problems } = checkNodeRow(schema, type, full);
  if (problems.length > 0) {
    return {
      draft: given,
      violations: problems.map((problem) => ({
        ...{ kind: 'value', node: { type, name }, property: problem.property ?? undefined },
        ...{ message: problem.message, hint: rowHint(schema, 'node', type, problem) },
      })),
    };
  }
  if (id !== null && id !== name)
    return { draft: given, violations: [nameMismatch(type, name, id, nodeType)] };
  return { draft: isSameProps(given.props, props) ? given : { ...given, props }, violations: [] };
}

function withKeyFromName(type: NodeType | undefined, name: string, props: Props): Props {
  const hasKey = (type?.key ?? []).every((member) => Object.hasOwn(props, member));
  return type === undefined || hasKey ? props : { ...keyFromName(type, name), ...props };
}

function isSameProps(given: Props = {}, props: Props): boolean {
  if (given === props) return true;
  const keys = Object.keys(props);
  return (
    keys.length === Object.keys(given).length &&
    keys.every(
      (key) => Object.hasOwn(given, key) && (given[key] === props[key] || sameValue(given[key], props[key])),
    )
  );
}

function sameValue(a: unknown, b: unknown): boolean {
  return typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

function nameMismatch(type: string, name: string, id: string, nodeType: NodeType | undefined): Violation {
  const key = nodeType?.key ?? [];
  return {
    ...{ kind: 'value', node: { type, name }, property: key[0] },
    message: `A ${type} is called by its key (${key.join(', ')}), which says ${JSON.stringify(id)}.`,
    hint: `Name it ${JSON.stringify(id)}, or give it the key that its name says; a key never changes.`,
  };
}
