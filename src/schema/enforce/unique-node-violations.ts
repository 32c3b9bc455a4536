import { chunksOf } from '../../bounds/chunks.js';
import { filterYielding } from '../../bounds/yielding-loops.js';
import { groupEntries } from '../../model/group-entries.js';
import { canonicalJson, type Json, type Props } from '../../model/json.js';
import type { Node } from '../../model/node.js';
import type { Violation } from '../../model/violation.js';
import type { NodeDraft } from '../../store/drafts.js';
import type { ScalarProps } from '../../store/read-requests.js';
import type { RowReader } from '../../store/reader.js';
import type { ValidatedNode } from '../../store/write-validator.js';
import type { WrittenRows } from './written-rows.js';

/** Nodes that share what must be unique among their type, with each other or with stored ones. */
export async function uniqueNodeViolations(rows: WrittenRows, reader: RowReader): Promise<Violation[]> {
  const violations: Violation[] = [];
  for (const type of rows.schema.nodes.values()) {
    for (const members of type.unique) {
      const changed = await filterYielding(
        rows.nodes.values(),
        ({ draft, old }) => draft.type === type.name && changesValues(members, draft.props, old, type.name),
      );
      for (const some of chunksOf(changed)) {
        violations.push(...(await duplicateViolations(reader, type.name, members, some)));
      }
    }
  }
  return violations;
}

/** Whether a node has all members, at least one of them with a new value. */
function changesValues(
  members: readonly string[],
  props: Props = {},
  old: Node | undefined,
  type: string,
): boolean {
  const earlier = old?.type === type ? old.props : undefined;
  // Mostly so in a large write, and cheaper to tell.
  if (earlier !== undefined && members.every((member) => hasSameScalar(props, earlier, member))) return false;
  const now = memberValues(members, props);
  if (now === undefined) return false;
  const before = earlier === undefined ? undefined : memberValues(members, earlier);
  return before === undefined || canonicalJson(before) !== canonicalJson(now);
}

function hasSameScalar(props: Props, earlier: Props, member: string): boolean {
  const value = Object.hasOwn(props, member) ? props[member] : undefined;
  return isScalar(value) && Object.hasOwn(earlier, member) && earlier[member] === value;
}

/** Undefined if one is missing: then nothing must be unique. */
export function memberValues(members: readonly string[], props: Props): Json[] | undefined {
  const values: Json[] = [];
  for (const member of members) {
    const value = Object.hasOwn(props, member) ? props[member] : undefined;
    if (value === undefined || value === null) return undefined;
    values.push(value);
  }
  return values;
}

async function duplicateViolations(
  reader: RowReader,
  type: string,
  members: readonly string[],
  put: readonly ValidatedNode[],
): Promise<Violation[]> {
  const bearers = await nodesByValues(reader, type, members, put);
  return put.flatMap(({ draft }): Violation[] => {
    const values = memberValues(members, draft.props ?? {});
    const other = bearers.get(canonicalJson(values))?.find(({ id }) => id !== draft.id);
    if (other === undefined) return [];
    const what = members.length === 1 ? members[0] : `(${members.join(', ')})`;
    return [
      {
        ...{ kind: 'unique', node: { type, name: draft.name } },
        property: members.length === 1 ? members[0] : undefined,
        message: `${what} has to be unique, and ${type}/${other.name} has ${JSON.stringify(values?.length === 1 ? values[0] : values)} too.`,
        hint: `Give it another ${what}, or change ${JSON.stringify(other.name)} instead.`,
      },
    ];
  });
}

/** All nodes of the type that have the values of one of these, by the values. */
async function nodesByValues(
  reader: RowReader,
  type: string,
  members: readonly string[],
  put: readonly ValidatedNode[],
): Promise<Map<string, Node[]>> {
  const [only, ...others] = members;
  const found =
    only !== undefined && others.length === 0
      ? await reader.nodesWithValues(type, only, [
          ...new Set(put.flatMap(({ draft }) => scalarValues(draft, only))),
        ])
      : (
          await Promise.all(distinctValues(members, put).map((props) => reader.nodesMatching(type, props)))
        ).flat();
  const distinct = new Map(found.map((node) => [node.id, node])).values();
  return groupEntries(
    [...distinct].flatMap((node) => {
      const values = memberValues(members, node.props);
      return values === undefined ? [] : [[canonicalJson(values), node] as const];
    }),
  );
}

function scalarValues({ props = {} }: NodeDraft, member: string): (string | number | boolean)[] {
  const value = props[member];
  return isScalar(value) ? [value] : [];
}

function distinctValues(members: readonly string[], put: readonly ValidatedNode[]): ScalarProps[] {
  const wanted = new Map<string, ScalarProps>();
  for (const { draft } of put) {
    const entries = members.flatMap((member): [string, string | number | boolean][] =>
      scalarValues(draft, member).map((value) => [member, value]),
    );
    wanted.set(canonicalJson(entries), Object.fromEntries(entries));
  }
  return [...wanted.values()];
}

function isScalar(value: Json | undefined): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
