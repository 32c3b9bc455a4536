import type { Diagnostics } from '../../../language/diagnostics.js';
import type { ConstraintArgument, ConstraintClause } from '../graph-schema-ast.js';
import type { ConstrainedType } from './check-constraints.js';

/** The properties that a constraint lists; unknown ones are reported and left out. */
export function checkMembers(
  { name, args }: ConstraintClause,
  type: ConstrainedType,
  diagnostics: Diagnostics,
): readonly string[] {
  const members = new Set<string>();
  for (const argument of args) {
    const member = checkMember(argument, name, type, diagnostics);
    if (member === undefined) continue;
    if (members.has(member)) diagnostics.add(argument.at, 'bad_member', `${member} is listed twice.`);
    members.add(member);
  }
  return [...members];
}

/** The property that an argument names; on an edge it may be `src` or `dst`. */
export function checkMember(
  argument: ConstraintArgument,
  constraint: string,
  { properties, owner, tree }: ConstrainedType,
  diagnostics: Diagnostics,
): string | undefined {
  if (argument.kind !== 'name') {
    diagnostics.add(argument.at, 'bad_member', `@${constraint} takes the name of a property here.`, {
      expected: ['a name'],
    });
    return undefined;
  }
  const { text, at } = argument;
  const ends = owner === 'edge' ? ['src', 'dst'] : [];
  if (properties.has(text) || ends.includes(text)) return text;
  // A property of unknown type is declared too, and was reported already.
  const isDeclared = tree.members.some((member) => member.kind === 'property' && member.name.text === text);
  if (!isDeclared) {
    diagnostics.add(at, 'unknown_property', `${tree.name.text} has no property ${text}.`, {
      meant: text,
      among: [...properties.keys(), ...ends],
    });
  }
  return undefined;
}
