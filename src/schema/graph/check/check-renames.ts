import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import type { SchemaAnnotation } from '../graph-schema-ast.js';

/** That no two things come from the same one, and none from itself. */
export function checkRenames(
  things: readonly { readonly name: Name; readonly annotations: readonly SchemaAnnotation[] }[],
  findings: Diagnostics,
): void {
  const taken = new Map<string, string>();
  for (const { name, annotations } of things) {
    const from = annotations.find((annotation) => annotation.name.text === 'rename_from');
    if (from?.value?.kind !== 'string' && from?.value?.kind !== 'name') continue;
    const { text } = from.value;
    const other = taken.get(text);
    if (text === name.text)
      findings.add(from.at, 'bad_rename', `${text} cannot be renamed from its own name.`);
    else if (other !== undefined)
      findings.add(from.at, 'bad_rename', `${other} is already what ${text} is renamed to.`);
    taken.set(text, name.text);
  }
}
