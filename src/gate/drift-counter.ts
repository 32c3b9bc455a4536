import { isRecord } from '../model/is-record.js';
import type { Json } from '../model/json.js';
import { nearest } from '../model/nearest.js';
import type { Node } from '../model/node.js';
import { compareText } from '../model/order.js';
import type { Rejection } from '../model/rejection.js';
import { sameSpelling } from '../store/text/spelling.js';
import { isReserved, protectedFields, stripColon } from './gate-names.js';
import type { SchemaRegistry } from './registry/schema-registry.js';

export interface DriftedName {
  readonly name: string;
  readonly count: number;
  /** The registered name it probably means. */
  readonly suggested?: string;
}

export interface DriftedProperty {
  readonly label: string;
  readonly property: string;
  readonly count: number;
}

export interface Drift {
  readonly labels: readonly DriftedName[];
  readonly relationship_types: readonly DriftedName[];
  readonly properties: readonly DriftedProperty[];
}

/** Counts names that agents use and the registry does not know, in rejected and in accepted writes. */
export class DriftCounter {
  readonly #registry: SchemaRegistry;
  readonly #labels = new Counts();
  readonly #types = new Counts();
  readonly #properties = new Counts();

  constructor(registry: SchemaRegistry) {
    this.#registry = registry;
  }

  rejected({ tool, arguments: given }: Rejection): void {
    if (!isRecord(given)) return;
    const names = tool === 'write_node' ? [given['label']] : [given['from_label'], given['to_label']];
    for (const name of names) if (typeof name === 'string') this.#label(name);
    const { type, label, properties } = given;
    if (typeof type === 'string' && this.#registry.getRelation(type) === undefined)
      this.#types.add(stripColon(type));
    if (typeof label === 'string' && isRecord(properties)) this.#given(label, Object.keys(properties), []);
  }

  /** Ignores nodes the gate did not write. */
  written({ type, props, provenance }: Pick<Node, 'type' | 'props' | 'provenance'>): void {
    if (provenance?.write_gate_version === undefined) return;
    if (provenance._schema_remap_from !== undefined) this.#label(provenance._schema_remap_from);
    this.#given(type, Object.keys(props), provenance.merge_keys ?? []);
  }

  /** Most frequent first. */
  result(): Drift {
    return {
      labels: withSuggestions(this.#labels, this.#registry.allCanonicalLabels()),
      relationship_types: withSuggestions(this.#types, this.#registry.allRelationTypes()),
      properties: this.#properties.sorted().map(([key, count]) => {
        const [label = '', property = ''] = parsePair(key);
        return { label, property, count };
      }),
    };
  }

  #label(given: string): void {
    const label = stripColon(given);
    const isKnown =
      this.#registry.getEntry(given) !== undefined || this.#registry.remapTarget(given) !== undefined;
    if (label !== '' && !isKnown) this.#labels.add(label);
  }

  #given(label: string, properties: readonly string[], keys: readonly string[]): void {
    const canonical =
      this.#registry.getEntry(label) === undefined ? this.#registry.remapTarget(label) : label;
    const entry = canonical === undefined ? undefined : this.#registry.getEntry(canonical);
    if (entry === undefined) return;
    const declared = new Set([...entry.required_properties, ...Object.keys(entry.property_types), ...keys]);
    for (const property of properties) {
      if (declared.has(property) || protectedFields.has(property) || isReserved(property)) continue;
      this.#properties.add(JSON.stringify([entry.label, property]));
    }
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  add(key: string): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  sorted(): [string, number][] {
    return [...this.#counts].sort(([a, m], [b, n]) => n - m || compareText(a, b));
  }
}

function withSuggestions(counts: Counts, registered: readonly string[]): DriftedName[] {
  return counts.sorted().map(([name, count]) => {
    const suggested = nearest(name, registered, sameSpelling);
    return { name, count, ...(suggested === undefined ? {} : { suggested }) };
  });
}

function parsePair(key: string): string[] {
  const pair: Json = JSON.parse(key);
  return Array.isArray(pair) ? pair.map(String) : [];
}
