import { Diagnostics } from '../../language/diagnostics.js';
import type { Source } from '../../language/source.js';
import { type SourceProblem, toSourceProblem } from '../../language/source-problem.js';
import { nearest } from '../../model/nearest.js';
import { knownAnnotations } from './check/check-annotations.js';
import type { GraphSchemaAst, SchemaAnnotation } from './graph-schema-ast.js';
import { parseGraphSchemaAst } from './parse-graph-schema.js';

/** Warnings about a valid schema: annotations whose names are almost one that has an effect. */
export function lintGraphSchema(source: Source): readonly SourceProblem[] {
  const diagnostics = new Diagnostics();
  const known = [...knownAnnotations()];
  for (const { name } of annotationsOf(parseGraphSchemaAst(source))) {
    if (known.includes(name.text) || nearest(name.text, known) === undefined) continue;
    diagnostics.add(name.at, 'unknown_annotation', `@${name.text} has no effect.`, {
      meant: name.text,
      among: known,
    });
  }
  return diagnostics.all.map((diagnostic) => toSourceProblem(source, diagnostic));
}

function annotationsOf({ declarations }: GraphSchemaAst): readonly SchemaAnnotation[] {
  return declarations.flatMap((declaration) => [
    ...(declaration.kind === 'interface' ? [] : declaration.annotations),
    ...declaration.members.flatMap((member) => (member.kind === 'property' ? member.annotations : [])),
  ]);
}
