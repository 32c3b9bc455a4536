import { Diagnostics } from '../../language/diagnostics.js';
import type { Source } from '../../language/source.js';
import { type SourceProblem, toSourceProblem } from '../../language/source-problem.js';
import { nearest } from '../../model/nearest.js';
import type { AnnotationTree, SchemaTree } from './ast.js';
import { knownAnnotations } from './check/annotations.js';
import { parseSchemaTree } from './parse-tree.js';

/** What is allowed and hardly meant in a schema that is sound: annotations that are almost one that does something. */
export function lintSchema(source: Source): readonly SourceProblem[] {
  const findings = new Diagnostics();
  const known = [...knownAnnotations()];
  for (const { name } of annotationsOf(parseSchemaTree(source))) {
    if (known.includes(name.text) || nearest(name.text, known) === undefined) continue;
    findings.add(name.at, 'unknown_annotation', `@${name.text} is kept, but does nothing.`, {
      meant: name.text,
      among: known,
    });
  }
  return findings.all.map((finding) => toSourceProblem(source, finding));
}

function annotationsOf({ declarations }: SchemaTree): readonly AnnotationTree[] {
  return declarations.flatMap((declaration) => [
    ...(declaration.kind === 'interface' ? [] : declaration.annotations),
    ...declaration.members.flatMap((member) => (member.kind === 'property' ? member.annotations : [])),
  ]);
}
