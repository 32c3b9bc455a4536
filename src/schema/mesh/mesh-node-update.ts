import type { EdgeMakers } from './edge-makers.js';
import { type MeshEdgeDraft, MeshEdgeSet, relationshipEdgeType, targetNames } from './mesh-node-draft.js';
import type { MeshProperty, MeshSchema } from './mesh-schema.js';
import {
  formatMetadataEntry,
  type MetadataEntry,
  metadataValue,
  parseMetadataEntry,
} from './metadata/metadata-entry.js';
import { metadataKey, resolveMetadataKey } from './metadata/metadata-keys.js';
import { splitTargetNames } from './metadata/split-target-names.js';
import type { ArgumentValue, MeshArguments } from './parse-mesh-arguments.js';

export interface MeshNodeState {
  readonly name: string;
  readonly facts: readonly string[];
  /** Outgoing edges. */
  readonly edges: readonly MeshEdgeState[];
}

interface MeshEdgeState {
  readonly type: string;
  readonly to: string;
  readonly recorded?: EdgeMakers | undefined;
}

/** An edge that stays; `recorded` is undefined if only a call by hand keeps it. */
export interface EdgeMakersUpdate {
  readonly type: string;
  readonly to: string;
  readonly recorded: EdgeMakers | undefined;
}

interface MeshNodeUpdate {
  readonly facts: readonly string[];
  readonly addEdges: readonly MeshEdgeDraft[];
  readonly removeEdges: readonly Pick<MeshEdgeDraft, 'from' | 'to' | 'type'>[];
  readonly recordEdges: readonly EdgeMakersUpdate[];
}

interface PropertyUpdate {
  readonly property: string;
  readonly value: ArgumentValue;
  /** The metadata entry it replaces. */
  readonly index: number | undefined;
}

/**
 * Plans an update. Everything it does not name stays: text without a key, further entries of the same key, and edges with
 * another maker. It removes edges that a changed property created and no longer names. An edge records its makers; for an
 * edge older than such records, the makers are the properties whose entries name it.
 */
export function planMeshNodeUpdate(
  schema: MeshSchema,
  current: MeshNodeState,
  args: MeshArguments,
): MeshNodeUpdate {
  const entries = current.facts.map(parseMetadataEntry);
  const changes = [...args.values].map(([property, value]) => ({
    property,
    value,
    index: indexOfKey(schema, entries, metadataKey(schema, property)),
  }));
  return {
    facts: updateFacts(schema, current.facts, changes),
    ...updateEdges(schema, current, entries, changes),
  };
}

/** The first entry with this key, or else with another spelling of it. */
function indexOfKey(
  schema: MeshSchema,
  entries: readonly (MetadataEntry | undefined)[],
  key: string,
): number | undefined {
  const exact = entries.findIndex((entry) => entry?.key === key);
  if (exact !== -1) return exact;
  const alike = entries.findIndex(
    (entry) => entry !== undefined && resolveMetadataKey(schema, entry.key) === key,
  );
  return alike === -1 ? undefined : alike;
}

function updateFacts(
  schema: MeshSchema,
  facts: readonly string[],
  changes: readonly PropertyUpdate[],
): readonly string[] {
  const replaced = new Map<number, string | null>();
  const added: string[] = [];
  for (const { property, value, index } of changes) {
    const fact =
      value === null ? null : formatMetadataEntry(metadataKey(schema, property), metadataValue(value));
    if (index !== undefined) replaced.set(index, fact);
    else if (fact !== null) added.push(fact);
  }
  const kept = facts.map((fact, index) => (replaced.has(index) ? replaced.get(index) : fact));
  return [...kept.filter((fact) => typeof fact === 'string'), ...added];
}

function updateEdges(
  schema: MeshSchema,
  current: MeshNodeState,
  entries: readonly (MetadataEntry | undefined)[],
  changes: readonly PropertyUpdate[],
): Omit<MeshNodeUpdate, 'facts'> {
  const addEdges = new MeshEdgeSet(current.name);
  const removeEdges: { from: string; to: string; type: string }[] = [];
  const recordEdges: EdgeMakersUpdate[] = [];
  const changed = new Set(changes.map(({ index }) => index));
  const untouched = entries.filter((_, index) => !changed.has(index));
  for (const type of new Set(
    changes.flatMap(({ property }) => relationshipEdgeType(schema, property) ?? []),
  )) {
    const ours = changes.filter(({ property }) => relationshipEdgeType(schema, property) === type);
    const edges = current.edges.filter((edge) => edge.type === type);
    const before = new MakerInference(schema, type, edges, entries);
    const after = new MakerInference(schema, type, edges, untouched);
    for (const edge of edges) {
      const { makers, byHand } = edge.recorded ?? before.makersOf(edge.to);
      const still = edge.recorded === undefined ? after.makersOf(edge.to).makers : [];
      const named = ours
        .filter(({ value }) => targetNames(value).includes(edge.to))
        .map(({ property }) => property);
      const given = new Set(ours.map(({ property }) => property));
      const kept = makers.filter((maker) => !given.has(maker) || still.includes(maker));
      const now = [...new Set([...kept, ...named])];
      if (now.length > 0) recordEdges.push({ type, to: edge.to, recorded: { makers: now, byHand } });
      else if (byHand) recordEdges.push({ type, to: edge.to, recorded: undefined });
      else removeEdges.push({ from: current.name, to: edge.to, type });
    }
    const existing = new Set(edges.map(({ to }) => to));
    for (const { property, value } of ours) {
      for (const target of targetNames(value))
        if (!existing.has(target)) addEdges.add(type, target, property);
    }
  }
  return { addEdges: addEdges.list(), removeEdges, recordEdges };
}

/** Infers the makers of edges that record none from metadata. */
class MakerInference {
  readonly #named = new Map<string, string[]>();

  constructor(
    schema: MeshSchema,
    type: string,
    edges: readonly MeshEdgeState[],
    entries: readonly (MetadataEntry | undefined)[],
  ) {
    // A property that recorded one edge records them all: other entries of it were written by hand.
    const recording = new Set(edges.flatMap(({ recorded }) => recorded?.makers ?? []));
    const makers = schema.properties.filter(
      ({ name, relationship }) => relationship?.edgeType === type && !recording.has(name),
    );
    const targets = new Set(edges.filter(({ recorded }) => recorded === undefined).map(({ to }) => to));
    for (const entry of entries) {
      const maker = propertyOfEntry(schema, entry, makers);
      if (maker === undefined) continue;
      for (const target of targetsInEntry(entry, maker, targets)) {
        this.#named.set(target, [...(this.#named.get(target) ?? []), maker.name]);
      }
    }
  }

  makersOf(target: string): EdgeMakers {
    const makers = this.#named.get(target) ?? [];
    return { makers, byHand: makers.length === 0 };
  }
}

function propertyOfEntry(
  schema: MeshSchema,
  entry: MetadataEntry | undefined,
  makers: readonly MeshProperty[],
): MeshProperty | undefined {
  if (entry === undefined) return undefined;
  const key = resolveMetadataKey(schema, entry.key);
  return makers.find(({ name }) => metadataKey(schema, name) === key);
}

/** The targets of existing edges that an entry names. */
function targetsInEntry(
  entry: MetadataEntry | undefined,
  maker: MeshProperty | undefined,
  existing: ReadonlySet<string>,
): readonly string[] {
  if (entry === undefined || maker === undefined) return [];
  if (maker.type !== 'array' && existing.has(entry.value)) return [entry.value];
  return splitTargetNames(entry.value, existing);
}
