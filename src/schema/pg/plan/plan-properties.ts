import { isDeepStrictEqual } from 'node:util';
import { typeText } from '../../../language/type-text.js';
import type { Property } from '../graph-schema.js';
import type { Matching, Pair } from './match-names.js';
import { sameDescription } from './same-metadata.js';
import type { Steps } from './steps.js';
import { holdsAllOf } from './widening.js';

/** Renames, additions, changes and drops of the properties of a type, in this order. */
export function planProperties(
  steps: Steps,
  { renamed, blocked, added, kept, dropped }: Matching<Property>,
): void {
  for (const [old, { name }] of renamed) steps.renameProperty(name, old.name);
  for (const { name, renamedFrom } of blocked)
    steps.blockedRename(name, steps.named(renamedFrom ?? name), steps.named(name));
  for (const property of added) planAddition(steps, property);
  const nowCalled = new Map(renamed.map(([old, { name }]) => [old.name, name]));
  for (const pair of [...renamed, ...kept]) {
    planChange(steps, pair);
    planEmbedding(steps, pair, (name) => nowCalled.get(name) ?? name);
  }
  for (const { name } of dropped) steps.dropProperty(name);
}

function planAddition(steps: Steps, { name, type, default: standard, embedFrom }: Property): void {
  const added = `${steps.named(name)}: ${typeText(type)} is added`;
  if (!type.nullable && standard === undefined && embedFrom === null && steps.hasRows) {
    steps.unsupported(
      name,
      `${added}.`,
      'it is required and has no default, and there are rows without it; make it nullable or give it a @default',
    );
    return;
  }
  // A default only fills what is required: where null is allowed, null is what is known of the rows.
  const fills = !type.nullable && standard !== undefined;
  const value = fills ? standard : null;
  steps.addProperty(name, value, `${added}${fills ? ` as ${JSON.stringify(standard)}` : ''}.`);
}

function planChange(steps: Steps, pair: Pair<Property>): void {
  const [before, after] = pair;
  const isSameType = isDeepStrictEqual(before.type, after.type);
  if (!isSameType) planType(steps, pair);
  const isSameRest = sameDescription(before, after) && isDeepStrictEqual(before.default, after.default);
  if (!isSameRest) steps.metadata(after.name, `What is said about ${steps.named(after.name)} changes.`);
}

/** A vector that was made of one text says nothing about another; one that somebody gave stays. */
function planEmbedding(
  steps: Steps,
  [before, after]: Pair<Property>,
  newName: (name: string) => string,
): void {
  const was = before.embedFrom === null ? null : newName(before.embedFrom);
  if (was === after.embedFrom) return;
  const name = steps.named(after.name);
  if (after.embedFrom === null) steps.metadata(after.name, `${name} is no longer made of ${was}.`);
  else if (was === null) steps.metadata(after.name, `${name} is made of ${after.embedFrom}.`);
  else
    steps.empty(after.name, `${name} is made of ${after.embedFrom} instead of ${was}, so it is made anew.`);
}

function planType(steps: Steps, [before, after]: Pair<Property>): void {
  const { name } = after;
  const change = `${steps.named(name)} becomes ${typeText(after.type)} instead of ${typeText(before.type)}.`;
  if (!holdsAllOf(before.type, after.type)) {
    steps.onlyWithoutRows(name, change, `rows may hold values that are not ${typeText(after.type)}`);
    return;
  }
  if (before.type.nullable && !after.type.nullable) planRequired(steps, after, change);
  if (before.type.kind === 'enum' && after.type.kind === 'enum') {
    const known = before.type.values;
    const values = after.type.values.filter((value) => !known.includes(value));
    if (values.length > 0) steps.extendEnum(name, values);
    else if (!isDeepStrictEqual(known, after.type.values))
      steps.metadata(name, `The values of ${steps.named(name)} stand in another order.`);
    if (!before.type.nullable && after.type.nullable)
      steps.metadata(name, `${steps.named(name)} may be null.`);
    return;
  }
  const isOnlyRequired = isDeepStrictEqual({ ...before.type, nullable: false }, after.type);
  if (!isOnlyRequired) steps.metadata(name, change);
}

/** Rows that lack it get the default, if there is one. */
function planRequired(steps: Steps, { name, default: standard, embedFrom }: Property, change: string): void {
  if (standard === undefined && embedFrom === null && steps.hasRows) {
    steps.unsupported(name, change, 'it has no default, and rows may lack it; give it a @default');
    return;
  }
  steps.addConstraint(
    { kind: 'required', property: name, default: standard ?? null },
    `${steps.named(name)} is required${standard === undefined ? '' : `; rows without it get ${JSON.stringify(standard)}`}.`,
  );
}
