import type { Diagnostics } from '../../../language/diagnostics.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { NodeType, PatternConstraint, RangeConstraint } from '../graph-schema.js';
import type { ConstraintClause, EdgeDeclaration, NodeDeclaration } from '../graph-schema-ast.js';
import { checkMembers } from './check-members.js';
import type { ConstraintMark, DeclaredProperty } from './check-properties.js';
import { checkPatternConstraint, checkRangeConstraint } from './check-value-constraints.js';

export interface ConstrainedType {
  readonly tree: NodeDeclaration | EdgeDeclaration;
  readonly properties: ReadonlyMap<string, DeclaredProperty>;
  readonly owner: 'node' | 'edge';
}

type Constraints = Pick<NodeType, 'key' | 'unique' | 'index' | 'ranges' | 'checks'>;

/** The constraints of a type, on its properties and in its body. */
export function checkConstraints(type: ConstrainedType, diagnostics: Diagnostics): Constraints {
  const trees = type.tree.members.filter((member) => member.kind === 'constraint');
  const named = (name: ConstraintClause['name']) => trees.filter((tree) => tree.name === name);
  const ranges = named('range').flatMap((tree): RangeConstraint[] =>
    checkRangeConstraint(tree, type, diagnostics),
  );
  const checks = named('check').flatMap((tree): PatternConstraint[] =>
    checkPatternConstraint(tree, type, diagnostics),
  );
  return {
    key: checkKey(type, named('key'), diagnostics),
    unique: memberLists('unique', type, named('unique'), diagnostics).map(({ members }) => members),
    index: memberLists('index', type, named('index'), diagnostics).map(({ members }) => members),
    ranges,
    checks,
  };
}

interface MemberList {
  readonly members: readonly string[];
  readonly at: number;
}

/** All lists of one kind. A mark on a property is a list of one; a repeated list counts once. */
function memberLists(
  mark: ConstraintMark,
  type: ConstrainedType,
  trees: readonly ConstraintClause[],
  diagnostics: Diagnostics,
): readonly MemberList[] {
  const marked = [...type.properties.values()].flatMap(({ property, marks }) =>
    marks[mark] === undefined ? [] : [{ members: [property.name], at: marks[mark] }],
  );
  const written = trees.map((tree) => ({ members: checkMembers(tree, type, diagnostics), at: tree.at }));
  const all = new Map<string, MemberList>();
  for (const list of [...marked, ...written]) {
    checkKinds(mark, list, type, diagnostics);
    if (list.members.length > 0 && !all.has(list.members.join(' '))) all.set(list.members.join(' '), list);
  }
  return [...all.values()];
}

/** A type has at most one key. An edge's key is kept without its endpoints, which identify every edge. */
function checkKey(
  type: ConstrainedType,
  trees: readonly ConstraintClause[],
  diagnostics: Diagnostics,
): readonly string[] | null {
  const [first, second] = memberLists('key', type, trees, diagnostics);
  if (second !== undefined && first !== undefined) {
    const later = second.at > first.at ? second : first;
    const together = [...new Set([...first.members, ...second.members])].join(', ');
    diagnostics.add(
      later.at,
      'duplicate_key',
      `A type has one key. For a key of several properties, write @key(${together}) in the body.`,
    );
  }
  if (first === undefined) return null;
  const members = first.members.filter((name) => !isEnd(type, name));
  if (type.owner === 'edge' && first.members.length - members.length < 2) {
    diagnostics.add(
      first.at,
      'key_without_ends',
      `The key of an edge must include its endpoints: @key(${['src', 'dst', ...members].join(', ')}).`,
    );
  }
  checkKeyMembers(members, first.at, type, diagnostics);
  return members.length === 0 ? null : members;
}

function checkKeyMembers(
  members: readonly string[],
  at: number,
  { properties }: ConstrainedType,
  diagnostics: Diagnostics,
): void {
  for (const name of members) {
    const { property, defaultAt } = properties.get(name) ?? {};
    if (property?.type.nullable)
      diagnostics.add(at, 'bad_member', `${name} is part of the key, so it must not be nullable.`);
    if (defaultAt !== undefined)
      diagnostics.add(defaultAt, 'bad_default', `${name} is part of the key, so it cannot have a default.`);
  }
}

const uncomparable = ['list', 'vector', 'blob'];

/** An index takes any searchable value; members of a key or a unique list must be single values. */
function checkKinds(
  mark: ConstraintMark,
  { members, at }: MemberList,
  { properties }: ConstrainedType,
  diagnostics: Diagnostics,
) {
  if (members.length > graphSchemaLimits.members)
    diagnostics.add(at, 'too_many', `@${mark} takes at most ${graphSchemaLimits.members} properties.`);
  for (const name of members) {
    const type = properties.get(name)?.property.type;
    if (type === undefined) continue;
    const kind = type.kind === 'scalar' && type.scalar === 'Blob' ? 'blob' : type.kind;
    if (kind === 'blob' || (mark !== 'index' && uncomparable.includes(kind)))
      diagnostics.add(at, 'bad_member', `@${mark} cannot use ${name}: it is a ${kind}.`);
  }
}

function isEnd({ owner }: ConstrainedType, name: string): boolean {
  return owner === 'edge' && (name === 'src' || name === 'dst');
}
