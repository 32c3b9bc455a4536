import type { RelationEntry, SchemaEntry } from '../../gate/registry/schema-registry.js';
import type { RulesInForce } from '../../gate/rules-in-force.js';
import { gateRegistryUri } from './gate-registry-resource.js';

/** A longer text would burden the context of every agent; it is replaced by a reference. */
const maxTextLength = 2_000;

export function labelsText(rules: RulesInForce | undefined): string {
  if (rules === undefined) return 'No schema has been loaded yet, so every write is rejected.';
  const { nodes, fallback_label } = rules;
  if (nodes.length === 0) return 'No label is registered yet, so every write is rejected.';
  const others = fallback_label === undefined ? '' : ` Other labels become ${quoteName(fallback_label)}.`;
  const text = `Labels (? marks optional properties): ${nodes.map(labelText).join(', ')}.${others}`;
  return unlessTooLong(text, `There are ${nodes.length} labels: read ${gateRegistryUri}.${others}`);
}

export function relationshipTypesText(rules: RulesInForce | undefined): string {
  if (rules === undefined) return labelsText(rules);
  const { relationships } = rules;
  if (relationships.length === 0) return 'No relationship type is registered yet.';
  const text = `Types (? marks optional properties): ${relationships.map(relationshipTypeText).join(', ')}.`;
  return unlessTooLong(text, `There are ${relationships.length} types: read ${gateRegistryUri}.`);
}

export function methodsText(methods: readonly string[] | undefined): string {
  if (methods === undefined) return 'How it was found';
  return `How it was found: ${unlessTooLong(methods.join(', '), `one of the methods in ${gateRegistryUri}`)}`;
}

function unlessTooLong(text: string, otherwise: string): string {
  return text.length <= maxTextLength ? text : otherwise;
}

function labelText(entry: SchemaEntry): string {
  return `${quoteName(entry.label)}${propertiesText(entry)}`;
}

function relationshipTypeText(entry: RelationEntry): string {
  const ends = [entry.from_labels, entry.to_labels].map((labels) =>
    labels.length === 0 ? 'any' : labels.map(quoteName).join('|'),
  );
  return `${quoteName(entry.type)} (${ends.join(' → ')})${propertiesText(entry)}`;
}

function propertiesText({
  required_properties,
  property_types,
}: Pick<SchemaEntry, 'required_properties' | 'property_types'>): string {
  const required = new Set(required_properties);
  const names = new Set([...required, ...Object.keys(property_types)]);
  if (names.size === 0) return '';
  const texts = [...names].map((name) => {
    const type = Object.hasOwn(property_types, name) ? `: ${property_types[name]}` : '';
    return `${quoteName(name)}${required.has(name) ? '' : '?'}${type}`;
  });
  return ` {${texts.join(', ')}}`;
}

/** Quoted where it could be taken for more than a name. */
function quoteName(name: string): string {
  return /^[\p{L}\p{N}_.-]+$/u.test(name) ? name : JSON.stringify(name);
}
