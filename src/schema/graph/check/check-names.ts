import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type {
  EdgeDeclaration,
  GraphSchemaAst,
  InterfaceDeclaration,
  NodeDeclaration,
  SchemaAnnotation,
  SchemaDeclaration,
} from '../graph-schema-ast.js';

/** What is declared, by name; what was declared a second time is left out. */
export interface DeclaredTypes {
  readonly interfaces: ReadonlyMap<string, InterfaceDeclaration>;
  readonly nodes: ReadonlyMap<string, NodeDeclaration>;
  /** By lower-cased name. */
  readonly edges: ReadonlyMap<string, EdgeDeclaration>;
}

/** Sorts declarations by name: nodes and interfaces share their names, edges have their own and ignore case. */
export function checkNames({ declarations }: GraphSchemaAst, diagnostics: Diagnostics): DeclaredTypes {
  const interfaces = new Map<string, InterfaceDeclaration>();
  const nodes = new Map<string, NodeDeclaration>();
  const edges = new Map<string, EdgeDeclaration>();
  checkCount(declarations, diagnostics);
  for (const declaration of declarations) {
    const { name } = declaration;
    checkNameLength(name, diagnostics);
    if (declaration.kind === 'edge') {
      const other = edges.get(name.text.toLowerCase());
      if (other !== undefined) reportDuplicate(diagnostics, name, 'edge', other.name.text);
      else edges.set(name.text.toLowerCase(), declaration);
      continue;
    }
    const other = interfaces.get(name.text) ?? nodes.get(name.text);
    if (other !== undefined) reportDuplicate(diagnostics, name, other.kind, other.name.text);
    else if (declaration.kind === 'node') nodes.set(name.text, declaration);
    else interfaces.set(name.text, declaration);
  }
  return { interfaces, nodes, edges };
}

/** That a name can be kept as one. */
export function checkNameLength({ text, at }: Name, diagnostics: Diagnostics): void {
  if (text.length > graphSchemaLimits.nameLength) {
    diagnostics.add(
      at,
      'name_too_long',
      `This name has ${text.length} characters; at most ${graphSchemaLimits.nameLength} are allowed.`,
    );
  }
}

function checkCount(declarations: readonly SchemaDeclaration[], diagnostics: Diagnostics): void {
  const first = declarations[graphSchemaLimits.types];
  if (first === undefined) return;
  diagnostics.add(first.at, 'too_many', `A schema has at most ${graphSchemaLimits.types} types.`);
}

function reportDuplicate(
  diagnostics: Diagnostics,
  { text, at }: Name,
  kind: SchemaDeclaration['kind'],
  other: string,
): void {
  const spelling = other === text ? '' : ` as ${other}, and edges are looked up whatever their case`;
  diagnostics.add(at, 'duplicate_type', `There is already ${withArticle(kind)} ${text}${spelling}.`);
}

function withArticle(kind: SchemaDeclaration['kind']): string {
  return kind === 'node' ? 'a node' : `an ${kind}`;
}

/** That no two things come from the same one, and none from itself. */
export function checkRenames(
  things: readonly { readonly name: Name; readonly annotations: readonly SchemaAnnotation[] }[],
  diagnostics: Diagnostics,
): void {
  const taken = new Map<string, string>();
  for (const { name, annotations } of things) {
    const from = annotations.find((annotation) => annotation.name.text === 'rename_from');
    if (from?.value?.kind !== 'string' && from?.value?.kind !== 'name') continue;
    const { text } = from.value;
    const other = taken.get(text);
    if (text === name.text)
      diagnostics.add(from.at, 'bad_rename', `${text} cannot be renamed from its own name.`);
    else if (other !== undefined)
      diagnostics.add(from.at, 'bad_rename', `${other} is already what ${text} is renamed to.`);
    taken.set(text, name.text);
  }
}
