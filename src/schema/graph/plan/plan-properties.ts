import { isDeepStrictEqual } from 'node:util';
import { formatValueType } from '../../../language/format-value-type.js';
import type { Scalar, ValueType } from '../../../model/value-type.js';
import type { EdgeType, NodeType, Property } from '../graph-schema.js';
import type { Matching, Pair } from './match-names.js';
import type { StepCollector } from './step-collector.js';

export function planProperties(
  steps: StepCollector,
  { renamed, blocked, added, kept, dropped }: Matching<Property>,
  key: readonly string[],
): void {
  for (const [old, { name }] of renamed) steps.renameProperty(name, old.name);
  for (const { name, renamedFrom } of blocked)
    steps.blockedRename(name, steps.qualifiedName(renamedFrom ?? name), steps.qualifiedName(name));
  for (const property of added) planAddition(steps, property);
  const nowCalled = new Map(renamed.map(([old, { name }]) => [old.name, name]));
  for (const pair of [...renamed, ...kept]) {
    planChange(steps, pair, key.includes(pair[1].name));
    planEmbedding(steps, pair, (name) => nowCalled.get(name) ?? name);
  }
  for (const { name } of dropped) steps.dropProperty(name);
}

function planAddition(
  steps: StepCollector,
  { name, type, default: defaultValue, embedFrom }: Property,
): void {
  const added = `${steps.qualifiedName(name)}: ${formatValueType(type)} is added`;
  if (!type.nullable && defaultValue === undefined && embedFrom === null && steps.hasRows) {
    steps.unsupported(
      name,
      `${added}.`,
      'it is required and has no default, but there are rows; make it nullable or give it a @default',
    );
    return;
  }
  // A default only fills required properties: existing rows of a nullable one get null.
  const fills = !type.nullable && defaultValue !== undefined;
  const value = fills ? defaultValue : null;
  steps.addProperty(name, value, `${added}${fills ? ` as ${JSON.stringify(defaultValue)}` : ''}.`);
}

function planChange(steps: StepCollector, pair: Pair<Property>, isKey: boolean): void {
  const [before, after] = pair;
  const isSameType = isDeepStrictEqual(before.type, after.type);
  if (!isSameType) planTypeChange(steps, pair, isKey);
  const isSameRest = sameDescription(before, after) && isDeepStrictEqual(before.default, after.default);
  if (!isSameRest)
    steps.updateMetadata(after.name, `The metadata of ${steps.qualifiedName(after.name)} changes.`);
}

/** A vector computed from one text is useless for another; one that a client wrote stays. */
function planEmbedding(
  steps: StepCollector,
  [before, after]: Pair<Property>,
  newName: (name: string) => string,
): void {
  const was = before.embedFrom === null ? null : newName(before.embedFrom);
  const name = steps.qualifiedName(after.name);
  if (was === after.embedFrom) {
    if (before.embedModel !== after.embedModel)
      steps.updateMetadata(
        after.name,
        `${name} is embedded by ${after.embedModel ?? 'the configured model'}.`,
      );
    return;
  }
  if (after.embedFrom === null)
    steps.updateMetadata(after.name, `${name} is no longer embedded from ${was}.`);
  else if (was === null) steps.updateMetadata(after.name, `${name} is embedded from ${after.embedFrom}.`);
  else
    steps.clearProperty(
      after.name,
      `${name} is embedded from ${after.embedFrom} instead of ${was}, so it is computed again.`,
    );
}

function planTypeChange(steps: StepCollector, [before, after]: Pair<Property>, isKey: boolean): void {
  const { name } = after;
  const change = `${steps.qualifiedName(name)} becomes ${formatValueType(after.type)} instead of ${formatValueType(before.type)}.`;
  const removed = removedValues(before, after);
  if (removed.length === 0 && !isWidening(before.type, after.type)) {
    steps.unsupportedWithRows(
      name,
      change,
      `rows may hold values that are not ${formatValueType(after.type)}`,
    );
    return;
  }
  if (before.type.nullable && !after.type.nullable) planRequired(steps, after, change);
  if (before.type.kind === 'enum' && after.type.kind === 'enum') {
    planEnum(steps, name, before.type.values, after.type.values);
    if (removed.length > 0) planNarrowing(steps, [before, after], removed, isKey);
    if (!before.type.nullable && after.type.nullable)
      steps.updateMetadata(name, `${steps.qualifiedName(name)} may be null.`);
    return;
  }
  const isOnlyRequired = isDeepStrictEqual({ ...before.type, nullable: false }, after.type);
  if (!isOnlyRequired) steps.updateMetadata(name, change);
}

function planEnum(
  steps: StepCollector,
  name: string,
  before: readonly string[],
  after: readonly string[],
): void {
  const added = after.filter((value) => !before.includes(value));
  if (added.length > 0) steps.extendEnum(name, added);
  else if (after.length === before.length && !isDeepStrictEqual(before, after))
    steps.updateMetadata(name, `The values of ${steps.qualifiedName(name)} are reordered.`);
}

function removedValues({ type: before }: Property, { type: after }: Property): readonly string[] {
  if (before.kind !== 'enum' || after.kind !== 'enum') return [];
  return before.values.filter((value) => !after.values.includes(value));
}

/** Unused values can go. Rows with a removed value lose it or get the default, where that is possible. */
function planNarrowing(
  steps: StepCollector,
  [before, after]: Pair<Property>,
  values: readonly string[],
  isKey: boolean,
): void {
  const { name, type } = after;
  const rows = steps.countRowsWithValues(before.name, values);
  const defaultValue = type.nullable ? null : (after.default ?? null);
  const stuck = isKey
    ? 'rows with these values have them in their key; delete these rows first'
    : defaultValue === null && !type.nullable
      ? 'rows with these values need another one; give it a @default, or change these rows first'
      : undefined;
  if (rows > 0 && stuck !== undefined)
    steps.unsupported(name, `${steps.qualifiedName(name)} may no longer be ${values.join(', ')}.`, stuck);
  else steps.narrowEnum(name, values, rows, defaultValue);
}

function planRequired(
  steps: StepCollector,
  { name, default: defaultValue, embedFrom }: Property,
  change: string,
): void {
  if (defaultValue === undefined && embedFrom === null && steps.hasRows) {
    steps.unsupported(name, change, 'it has no default, and rows may lack it; give it a @default');
    return;
  }
  steps.addConstraint(
    { kind: 'required', property: name, default: defaultValue ?? null },
    `${steps.qualifiedName(name)} is required${defaultValue === undefined ? '' : `; rows without it get ${JSON.stringify(defaultValue)}`}.`,
  );
}

/** Ignores `@rename_from`, which has no effect once it was applied. */
export function sameDescription(before: Property | NodeType | EdgeType, after: typeof before): boolean {
  return isDeepStrictEqual(descriptionOf(before), descriptionOf(after));
}

function descriptionOf({ description, instruction, annotations }: Property | NodeType | EdgeType) {
  return { description, instruction, annotations };
}

/** Which scalars can hold every value of another in the same form. */
const widerScalars: ReadonlyMap<Scalar, readonly Scalar[]> = new Map([
  ['I32', ['I64', 'F64']],
  ['U32', ['U64', 'I64', 'F64']],
  ['F32', ['F64']],
]);

/** Whether every value of one type except null is valid for the other, so that rows need no check. */
function isWidening(before: ValueType, after: ValueType): boolean {
  switch (before.kind) {
    case 'scalar':
      return after.kind === 'scalar' && isScalarWidening(before.scalar, after.scalar);
    case 'list':
      return after.kind === 'list' && isScalarWidening(before.of, after.of);
    case 'vector':
      return after.kind === 'vector' && before.dimension === after.dimension;
    case 'enum':
      if (after.kind === 'enum') return before.values.every((value) => after.values.includes(value));
      return after.kind === 'scalar' && after.scalar === 'String';
  }
}

function isScalarWidening(before: Scalar, after: Scalar): boolean {
  return before === after || (widerScalars.get(before)?.includes(after) ?? false);
}
