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

/** By name, without repeated declarations. */
export interface DeclaredTypes {
  readonly interfaces: ReadonlyMap<string, InterfaceDeclaration>;
  readonly nodes: ReadonlyMap<string, NodeDeclaration>;
  /** By lower-cased name. */
  readonly edges: ReadonlyMap<string, EdgeDeclaration>;
}

/** Nodes and interfaces share one namespace; edges have their own, which ignores case. */
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
  const spelling = other === text ? '' : `, spelled ${other}: edge names are case-insensitive`;
  diagnostics.add(at, 'duplicate_type', `There is already ${withArticle(kind)} ${text}${spelling}.`);
}

function withArticle(kind: SchemaDeclaration['kind']): string {
  return kind === 'node' ? 'a node' : `an ${kind}`;
}

/** No two things may be renamed from the same name, and none from its own. */
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
      diagnostics.add(from.at, 'bad_rename', `${text} is already renamed to ${other}.`);
    taken.set(text, name.text);
  }
}
