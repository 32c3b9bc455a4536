import type { Diagnostics } from '../../../language/diagnostics.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type { NodeType, PatternConstraint, RangeConstraint } from '../graph-schema.js';
import type { ConstraintClause, EdgeDeclaration, NodeDeclaration } from '../graph-schema-ast.js';
import { checkMembers } from './check-members.js';
import type { ConstraintMark, DeclaredProperty } from './check-properties.js';
import { checkPatternConstraint, checkRangeConstraint } from './check-value-constraints.js';

/** A type whose constraints are checked. */
export interface ConstrainedType {
  readonly tree: NodeDeclaration | EdgeDeclaration;
  readonly properties: ReadonlyMap<string, DeclaredProperty>;
  readonly owner: 'node' | 'edge';
}

type Constraints = Pick<NodeType, 'key' | 'unique' | 'index' | 'ranges' | 'checks'>;

/** What the constraints of a type say, those on its properties and those in its body. */
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

/** The members of a constraint, and where it stands. */
interface MemberList {
  readonly members: readonly string[];
  readonly at: number;
}

/** All lists of one kind: a mark on a property is a list of one. The same list twice is one. */
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

/** One key at most. That of an edge is kept without its ends, which every edge has in its identity. */
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
      `A type has one key. If several properties make it together, write @key(${together}) in the body.`,
    );
  }
  if (first === undefined) return null;
  const members = first.members.filter((name) => !isEnd(type, name));
  if (type.owner === 'edge' && first.members.length - members.length < 2) {
    diagnostics.add(
      first.at,
      'key_without_ends',
      `The key of an edge contains its ends: @key(${['src', 'dst', ...members].join(', ')}).`,
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
      diagnostics.add(at, 'bad_member', `${name} may be null, and what is part of a key may not.`);
    if (defaultAt !== undefined)
      diagnostics.add(defaultAt, 'bad_default', `${name} is part of the key, so it can have no default.`);
  }
}

const uncomparable = ['list', 'vector', 'blob'];

/** An index serves whatever can be looked for; what has to be unique or make an identity has to be a single value. */
function checkKinds(
  mark: ConstraintMark,
  { members, at }: MemberList,
  { properties }: ConstrainedType,
  diagnostics: Diagnostics,
) {
  if (members.length > graphSchemaLimits.members)
    diagnostics.add(at, 'too_many', `@${mark} has at most ${graphSchemaLimits.members} properties.`);
  for (const name of members) {
    const type = properties.get(name)?.property.type;
    if (type === undefined) continue;
    const kind = type.kind === 'scalar' && type.scalar === 'Blob' ? 'blob' : type.kind;
    if (kind === 'blob' || (mark !== 'index' && uncomparable.includes(kind)))
      diagnostics.add(at, 'bad_member', `${name} is a ${kind}, and @${mark} is not for those.`);
  }
}

function isEnd({ owner }: ConstrainedType, name: string): boolean {
  return owner === 'edge' && (name === 'src' || name === 'dst');
}
