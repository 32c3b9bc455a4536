import type { Diagnostics } from '../../../language/diagnostics.js';
import type { Name } from '../../../language/literal.js';
import type { Json } from '../../../model/json.js';
import type { ValueType } from '../../../model/value-type.js';
import type { Property } from '../graph-schema.js';
import type { PropertyDeclaration, SchemaAnnotation } from '../graph-schema-ast.js';
import { parseValue } from '../values/parse-value.js';
import {
  argumentValue,
  embedModel,
  indexAnnotations,
  nameArgument,
  readAnnotations,
} from './check-annotations.js';
import { checkNameLength, checkRenames } from './check-names.js';
import { checkValueType } from './check-value-types.js';

export interface DeclaredProperty {
  readonly property: Property;
  readonly name: Name;
  /** The offset of each constraint on the property. */
  readonly marks: { readonly [mark in ConstraintMark]: number | undefined };
  readonly embedAt: number | undefined;
  readonly defaultAt: number | undefined;
}

export type ConstraintMark = 'key' | 'unique' | 'index';

type PropertyOwner = 'interface' | 'node' | 'edge';

/** The properties of one declaration by name, without those of unknown type, which are reported once. */
export function checkProperties(
  trees: readonly PropertyDeclaration[],
  owner: PropertyOwner,
  diagnostics: Diagnostics,
): ReadonlyMap<string, DeclaredProperty> {
  checkRenames(trees, diagnostics);
  const declared = new Map<string, DeclaredProperty>();
  const seen = new Set<string>();
  for (const tree of trees) {
    checkPropertyName(tree.name, owner, diagnostics);
    if (seen.has(tree.name.text))
      diagnostics.add(tree.name.at, 'duplicate_property', `${tree.name.text} is declared twice.`);
    seen.add(tree.name.text);
    const property = checkProperty(tree, diagnostics);
    if (property !== undefined && !declared.has(tree.name.text)) declared.set(tree.name.text, property);
  }
  return declared;
}

/** Names of an edge's endpoints, in schemas, ingested lines and mutations. */
const endpointNames = ['from', 'to', 'src', 'dst'];

function checkPropertyName(name: Name, owner: PropertyOwner, diagnostics: Diagnostics): void {
  const { text, at } = name;
  checkNameLength(name, diagnostics);
  if (text.startsWith('_')) {
    diagnostics.add(at, 'reserved_name', `${text} begins with _; such names are reserved.`, {
      meant: text,
      among: [text.replace(/^_+/, '') || 'name'],
    });
  }
  if (owner === 'edge' && endpointNames.includes(text))
    diagnostics.add(
      at,
      'reserved_name',
      `${text} is an endpoint of the edge, so no property can have this name.`,
    );
}

function checkProperty(tree: PropertyDeclaration, diagnostics: Diagnostics): DeclaredProperty | undefined {
  const byName = indexAnnotations(tree.annotations, 'property', diagnostics);
  const type = checkValueType(tree.type, diagnostics);
  const described = readAnnotations(tree.annotations, byName, diagnostics);
  const mark = (name: ConstraintMark) => checkMark(byName.get(name), diagnostics);
  const marks = { key: mark('key'), unique: mark('unique'), index: mark('index') };
  if (type === undefined) return undefined;
  const embed = byName.get('embed');
  const defaultValue = byName.get('default');
  return {
    property: {
      name: tree.name.text,
      type,
      default: checkDefault(defaultValue, tree.name.text, type, diagnostics),
      embedFrom: nameArgument(embed, diagnostics),
      embedModel: embedModel(embed, diagnostics),
      ...described,
    },
    name: tree.name,
    marks,
    embedAt: embed?.at,
    defaultAt: defaultValue?.at,
  };
}

function checkMark(tree: SchemaAnnotation | undefined, diagnostics: Diagnostics): number | undefined {
  if (tree?.value != null)
    diagnostics.add(tree.at, 'bad_annotation', `@${tree.name.text} takes no value here.`);
  return tree?.at;
}

function checkDefault(
  tree: SchemaAnnotation | undefined,
  name: string,
  type: ValueType,
  diagnostics: Diagnostics,
): Json | undefined {
  if (tree === undefined) return undefined;
  if (tree.value === null) {
    diagnostics.add(tree.at, 'bad_default', '@default takes a value: @default(1).');
    return undefined;
  }
  const { value } = tree;
  const parsed = parseValue(type, argumentValue(value));
  if ('value' in parsed) return parsed.value;
  diagnostics.add(value.at, 'bad_default', `The default of ${name} ${parsed.reason}`);
  return undefined;
}
