import type { Diagnostics } from '../../../language/diagnostics.js';
import { literalValue } from '../../../language/literal.js';
import type { Json } from '../../../model/json.js';
import type { Annotation } from '../graph-schema.js';
import type { SchemaAnnotation } from '../graph-schema-ast.js';

type AnnotationTarget = 'node' | 'edge' | 'property';

interface AnnotationValues {
  readonly description: string | null;
  readonly instruction: string | null;
  readonly renamedFrom: string | null;
  /** Annotations without a meaning here, kept as written. */
  readonly annotations: readonly Annotation[];
}

/** Where each annotation is allowed, and what to write if it is somewhere else. */
const annotationRules: ReadonlyMap<
  string,
  { readonly targets: readonly AnnotationTarget[]; readonly advice: string }
> = new Map([
  ['description', { targets: ['node', 'edge', 'property'], advice: '' }],
  ['instruction', { targets: ['node', 'edge', 'property'], advice: '' }],
  ['rename_from', { targets: ['node', 'edge', 'property'], advice: '' }],
  ['key', { targets: ['property'], advice: 'Put it after a property, or write @key(…) in the body.' }],
  ['unique', { targets: ['property'], advice: 'Put it after a property, or write @unique(…) in the body.' }],
  ['index', { targets: ['property'], advice: 'Put it after a property, or write @index(…) in the body.' }],
  ['default', { targets: ['property'], advice: 'Put it after a property.' }],
  ['embed', { targets: ['property'], advice: 'Put it after a Vector property.' }],
  ['range', { targets: [], advice: 'Write @range(property, 1..10) in the body.' }],
  ['check', { targets: [], advice: 'Write @check(property, "pattern") in the body.' }],
  ['card', { targets: [], advice: 'Write it after the endpoints of an edge: edge A: B -> C @card(0..1).' }],
]);

/** The annotations of one declaration by name; reports misplaced and repeated ones. */
export function indexAnnotations(
  trees: readonly SchemaAnnotation[],
  target: AnnotationTarget,
  diagnostics: Diagnostics,
): ReadonlyMap<string, SchemaAnnotation> {
  const byName = new Map<string, SchemaAnnotation>();
  for (const tree of trees) {
    const { text, at } = tree.name;
    const rule = annotationRules.get(text);
    if (rule === undefined) continue;
    if (!rule.targets.includes(target))
      diagnostics.add(at, 'misplaced_annotation', `@${text} is not allowed here. ${rule.advice}`);
    else if (byName.has(text)) diagnostics.add(at, 'duplicate_annotation', `@${text} is given twice.`);
    else byName.set(text, tree);
    refuseNamedArguments(tree, diagnostics);
  }
  return byName;
}

export function readAnnotations(
  trees: readonly SchemaAnnotation[],
  byName: ReadonlyMap<string, SchemaAnnotation>,
  diagnostics: Diagnostics,
): AnnotationValues {
  const text = (name: string) => textArgument(byName.get(name), diagnostics);
  return {
    description: text('description'),
    instruction: text('instruction'),
    renamedFrom: nameArgument(byName.get('rename_from'), diagnostics),
    annotations: trees.filter(({ name }) => !annotationRules.has(name.text)).map(customAnnotation),
  };
}

export function knownAnnotations(): Iterable<string> {
  return annotationRules.keys();
}

function textArgument(tree: SchemaAnnotation | undefined, diagnostics: Diagnostics): string | null {
  if (tree === undefined) return null;
  if (tree.value?.kind === 'string') return tree.value.text;
  const { text } = tree.name;
  diagnostics.add(tree.at, 'bad_annotation', `@${text} takes a string: @${text}("…").`, {
    expected: ['a string'],
  });
  return null;
}

export function nameArgument(tree: SchemaAnnotation | undefined, diagnostics: Diagnostics): string | null {
  if (tree === undefined) return null;
  if (tree.value?.kind === 'string' || tree.value?.kind === 'name') return tree.value.text;
  const { text } = tree.name;
  diagnostics.add(tree.at, 'bad_annotation', `@${text} takes a name: @${text}("…").`, {
    expected: ['a name'],
  });
  return null;
}

/** `@embed("note", model="m")`: the model that makes the vectors; null: the configured one. */
export function embedModel(tree: SchemaAnnotation | undefined, diagnostics: Diagnostics): string | null {
  const given = tree?.named.find(({ name }) => name.text === 'model');
  if (given === undefined) return null;
  if (given.value.kind === 'string' && given.value.text !== '') return given.value.text;
  diagnostics.add(given.name.at, 'bad_annotation', 'The model of @embed is a string: model="…".', {
    expected: ['a string'],
  });
  return null;
}

/** They would be lost silently. */
function refuseNamedArguments({ name, named }: SchemaAnnotation, diagnostics: Diagnostics): void {
  const known = name.text === 'embed' ? 'model' : undefined;
  const first = named.find((argument) => argument.name.text !== known);
  if (first === undefined) return;
  diagnostics.add(first.name.at, 'bad_annotation', `@${name.text} has no argument ${first.name.text}.`);
}

function customAnnotation({ name, value, named }: SchemaAnnotation): Annotation {
  return {
    name: name.text,
    value: value === null ? undefined : argumentValue(value),
    named: Object.fromEntries(named.map((pair) => [pair.name.text, literalValue(pair.value)])),
  };
}

/** A bare name is a string. */
export function argumentValue(value: NonNullable<SchemaAnnotation['value']>): Json {
  return value.kind === 'name' ? value.text : literalValue(value);
}
