import type { Diagnostic } from '../language/source-problem.js';
import type { QueryAnnotation, QueryDeclaration } from './query-ast.js';

export interface QueryMetadata {
  readonly description: string | undefined;
  /** Further advice for an agent. */
  readonly instruction: string | undefined;
  readonly expose: boolean | undefined;
  readonly toolName: string | undefined;
}

const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/** Reads the annotations of a query; unknown ones are ignored. */
export function queryMetadata({ annotations }: QueryDeclaration): QueryMetadata {
  const text = (name: string) => {
    const value = annotations.find((annotation) => annotation.name === name)?.value;
    return typeof value === 'string' ? value : undefined;
  };
  const mcp = new Map(
    annotations
      .filter(({ name }) => name === 'mcp')
      .flatMap(({ named }) => named.map((argument) => [argument.name, argument.value] as const)),
  );
  const expose = mcp.get('expose');
  const toolName = mcp.get('tool_name');
  return {
    description: text('description'),
    instruction: text('instruction'),
    expose: typeof expose === 'boolean' ? expose : undefined,
    toolName: typeof toolName === 'string' ? toolName : undefined,
  };
}

/** What is wrong with the known annotations. */
export function annotationProblems({ annotations }: QueryDeclaration): readonly Diagnostic[] {
  const seen = new Set<string>();
  return annotations.flatMap((annotation) => {
    const { name, at } = annotation;
    const isKnown = name === 'description' || name === 'instruction' || name === 'mcp';
    if (!isKnown) return [];
    if (seen.has(name)) return [{ code: 'named_twice', at, message: `@${name} is given twice.` }];
    seen.add(name);
    const message = name === 'mcp' ? mcpAnnotationProblem(annotation) : textAnnotationProblem(annotation);
    return message === undefined ? [] : [{ code: 'bad_annotation', at, message }];
  });
}

function textAnnotationProblem({ name, value, named }: QueryAnnotation): string | undefined {
  return typeof value === 'string' && named.length === 0
    ? undefined
    : `@${name} takes one text: @${name}("…").`;
}

function mcpAnnotationProblem({ value, named }: QueryAnnotation): string | undefined {
  const form = 'it is written @mcp(expose: false, tool_name: "x")';
  if (value !== undefined || named.length === 0) return `@mcp takes expose or tool_name; ${form}.`;
  for (const argument of named) {
    if (argument.name === 'expose' && typeof argument.value !== 'boolean')
      return `expose of @mcp is true or false; ${form}.`;
    if (argument.name === 'tool_name' && !isToolName(argument.value))
      return `tool_name of @mcp has 1 to 64 letters, digits, _ or -; ${form}.`;
    if (argument.name !== 'expose' && argument.name !== 'tool_name')
      return `@mcp has no option ${argument.name}; ${form}.`;
  }
  return undefined;
}

function isToolName(value: unknown): boolean {
  return typeof value === 'string' && toolNamePattern.test(value);
}
