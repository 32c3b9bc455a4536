import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import { graphSchemaLimits } from '../../../model/limits.js';
import type {
  EdgeDeclaration,
  GraphSchemaAst,
  InterfaceDeclaration,
  NodeDeclaration,
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
export function checkNames({ declarations }: GraphSchemaAst, findings: Diagnostics): DeclaredTypes {
  const interfaces = new Map<string, InterfaceDeclaration>();
  const nodes = new Map<string, NodeDeclaration>();
  const edges = new Map<string, EdgeDeclaration>();
  checkCount(declarations, findings);
  for (const declaration of declarations) {
    const { name } = declaration;
    checkNameLength(name, findings);
    if (declaration.kind === 'edge') {
      const other = edges.get(name.text.toLowerCase());
      if (other !== undefined) reportDuplicate(findings, name, 'edge', other.name.text);
      else edges.set(name.text.toLowerCase(), declaration);
      continue;
    }
    const other = interfaces.get(name.text) ?? nodes.get(name.text);
    if (other !== undefined) reportDuplicate(findings, name, other.kind, other.name.text);
    else if (declaration.kind === 'node') nodes.set(name.text, declaration);
    else interfaces.set(name.text, declaration);
  }
  return { interfaces, nodes, edges };
}

/** That a name can be kept as one. */
export function checkNameLength({ text, at }: Name, findings: Diagnostics): void {
  if (text.length > graphSchemaLimits.nameLength) {
    findings.add(
      at,
      'name_too_long',
      `This name has ${text.length} characters; at most ${graphSchemaLimits.nameLength} are allowed.`,
    );
  }
}

function checkCount(declarations: readonly SchemaDeclaration[], findings: Diagnostics): void {
  const first = declarations[graphSchemaLimits.types];
  if (first === undefined) return;
  findings.add(first.at, 'too_many', `A schema has at most ${graphSchemaLimits.types} types.`);
}

function reportDuplicate(
  findings: Diagnostics,
  { text, at }: Name,
  kind: SchemaDeclaration['kind'],
  other: string,
): void {
  const spelling = other === text ? '' : ` as ${other}, and edges are looked up whatever their case`;
  findings.add(at, 'duplicate_type', `There is already ${withArticle(kind)} ${text}${spelling}.`);
}

function withArticle(kind: SchemaDeclaration['kind']): string {
  return kind === 'node' ? 'a node' : `an ${kind}`;
}
