import type { Diagnostics } from '../../../language/diagnostics.js';
import { literalValue } from '../../../language/literal.js';
import type { Json } from '../../../model/json.js';
import type { Annotation } from '../graph-schema.js';
import type { SchemaAnnotation } from '../graph-schema-ast.js';

/** What an annotation can stand on. */
type AnnotationTarget = 'node' | 'edge' | 'property';

/** What annotations mean that both types and properties can have. */
interface AnnotationValues {
  readonly description: string | null;
  readonly instruction: string | null;
  readonly renamedFrom: string | null;
  /** Those that mean nothing to us. */
  readonly annotations: readonly Annotation[];
}

/** Where each annotation that means something may stand, and where it is to be put if it stands elsewhere. */
const annotationRules: ReadonlyMap<
  string,
  { readonly places: readonly AnnotationTarget[]; readonly advice: string }
> = new Map([
  ['description', { places: ['node', 'edge', 'property'], advice: '' }],
  ['instruction', { places: ['node', 'edge', 'property'], advice: '' }],
  ['rename_from', { places: ['node', 'edge', 'property'], advice: '' }],
  ['key', { places: ['property'], advice: 'Put it behind a property, or write @key(…) in the body.' }],
  ['unique', { places: ['property'], advice: 'Put it behind a property, or write @unique(…) in the body.' }],
  ['index', { places: ['property'], advice: 'Put it behind a property, or write @index(…) in the body.' }],
  ['default', { places: ['property'], advice: 'Put it behind a property.' }],
  ['embed', { places: ['property'], advice: 'Put it behind a Vector property.' }],
  ['range', { places: [], advice: 'Write @range(property, 1..10) in the body.' }],
  ['check', { places: [], advice: 'Write @check(property, "pattern") in the body.' }],
  ['card', { places: [], advice: 'It stands behind the ends of an edge: edge A: B -> C @card(0..1).' }],
]);

/** The annotations of one thing by name; what is wrong with where they stand, or how often, is noted. */
export function indexAnnotations(
  trees: readonly SchemaAnnotation[],
  place: AnnotationTarget,
  diagnostics: Diagnostics,
): ReadonlyMap<string, SchemaAnnotation> {
  const byName = new Map<string, SchemaAnnotation>();
  for (const tree of trees) {
    const { text, at } = tree.name;
    const meaning = annotationRules.get(text);
    if (meaning === undefined) continue;
    if (!meaning.places.includes(place))
      diagnostics.add(at, 'misplaced_annotation', `@${text} cannot stand here. ${meaning.advice}`);
    else if (byName.has(text)) diagnostics.add(at, 'duplicate_annotation', `@${text} stands here twice.`);
    else byName.set(text, tree);
    refuseNamedArguments(tree, diagnostics);
  }
  return byName;
}

/** Description, instruction, the old name, and what means nothing to us. */
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

/** The names that mean something, for those who look for misspelt ones. */
export function knownAnnotations(): Iterable<string> {
  return annotationRules.keys();
}

/** What an annotation that is a text holds; null if there is none. */
function textArgument(tree: SchemaAnnotation | undefined, diagnostics: Diagnostics): string | null {
  if (tree === undefined) return null;
  if (tree.value?.kind === 'string') return tree.value.text;
  const { text } = tree.name;
  diagnostics.add(tree.at, 'bad_annotation', `@${text} takes a text: @${text}("…").`, {
    expected: ['a string'],
  });
  return null;
}

/** What an annotation that names something holds; null if there is none. */
export function nameArgument(tree: SchemaAnnotation | undefined, diagnostics: Diagnostics): string | null {
  if (tree === undefined) return null;
  if (tree.value?.kind === 'string' || tree.value?.kind === 'name') return tree.value.text;
  const { text } = tree.name;
  diagnostics.add(tree.at, 'bad_annotation', `@${text} takes a name: @${text}("…").`, {
    expected: ['a name'],
  });
  return null;
}

/** Keys that are named here would be lost in silence. */
function refuseNamedArguments({ name, named }: SchemaAnnotation, diagnostics: Diagnostics): void {
  const [first] = named;
  if (first === undefined) return;
  diagnostics.add(first.name.at, 'bad_annotation', `@${name.text} takes no ${first.name.text}.`);
}

function customAnnotation({ name, value, named }: SchemaAnnotation): Annotation {
  return {
    name: name.text,
    value: value === null ? undefined : argumentValue(value),
    named: Object.fromEntries(named.map((pair) => [pair.name.text, literalValue(pair.value)])),
  };
}

/** What an argument means: a bare name is a text. */
export function argumentValue(value: NonNullable<SchemaAnnotation['value']>): Json {
  return value.kind === 'name' ? value.text : literalValue(value);
}
