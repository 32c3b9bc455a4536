import type { Commit } from '../../model/commit.js';
import { type Edge, edgeKey } from '../../model/edge.js';
import { groupEntries } from '../../model/group-entries.js';
import { equalJson } from '../../model/json.js';
import type { Node, Observation } from '../../model/node.js';
import { type Provenance, stampFieldNames } from '../../model/provenance.js';
import type { NodeVersions, RowVersion } from '../../store/read-results.js';
import type { Reader } from '../../store/reader.js';
import { sameEdge, sameObservation } from './graph-diff.js';
import { type ValueOrigin, VersionHistory } from './value-origin.js';

/** Who put a value there. */
export interface Blame {
  /** Null if that is no longer known, because `trellis gc` dropped the version. */
  readonly commit: Commit | null;
  readonly provenance: Provenance | null;
}

export interface NodeBlame {
  /** Of the node as such. */
  readonly node: Blame;
  readonly type: Blame;
  /** Absent if the node has none. */
  readonly summary?: Blame;
  readonly tags?: Blame;
  readonly props: ReadonlyMap<string, Blame>;
  readonly observations: ReadonlyMap<number, Blame>;
  /** By `edgeKey`. */
  readonly edges: ReadonlyMap<string, Blame>;
}

export interface NodeFacts {
  readonly node: Node;
  readonly observations: readonly Observation[];
  readonly edges: readonly Edge[];
}

export async function readNodeFacts(reader: Reader, node: Node): Promise<NodeFacts> {
  const [observations, edges] = await Promise.all([
    reader.observationsOf([node.id]),
    reader.edgesOf([node.id]),
  ]);
  return { node, observations, edges };
}

/** Versions of the node that are read first; most have fewer. */
const firstVersions = 200;

/** For each value of a node, the commit that put it there. The cost depends on the history of the node alone. */
export async function blameNode(
  reader: Reader,
  facts: NodeFacts,
  show = (commit: Commit) => commit,
): Promise<NodeBlame> {
  const origins = await readOrigins(reader, facts);
  const commits = new Map(
    (await reader.commitsAt(seqsIn(origins))).map((commit) => [commit.seq, show(commit)]),
  );
  const { provenance } = facts.node;
  // Later writes keep the stamp of the node: it is about what came with it, not about what they changed.
  const stampAt = (origin: ValueOrigin) =>
    typeof origin === 'number' && origin === origins.stamp ? provenance : null;
  const blame = (origin: ValueOrigin | undefined, stamp: Provenance | null): Blame => ({
    commit: typeof origin === 'number' ? (commits.get(origin) ?? null) : null,
    provenance: stamp,
  });
  return {
    node: blame(origins.node, stampAt(origins.node)),
    type: blame(origins.type, stampAt(origins.type)),
    ...(facts.node.summary === null ? {} : { summary: blame(origins.summary, stampAt(origins.summary)) }),
    ...(facts.node.tags.length === 0 ? {} : { tags: blame(origins.tags, stampAt(origins.tags)) }),
    props: mapValues(origins.props, (origin, name) =>
      blame(origin, provenance?.properties?.[name] ?? stampAt(origin)),
    ),
    observations: new Map(
      facts.observations.map((observation) => [
        observation.ordinal,
        blame(origins.observations.get(observation.ordinal), observation.provenance),
      ]),
    ),
    edges: new Map(
      facts.edges.map((edge) => [edgeKey(edge), blame(origins.edges.get(edgeKey(edge)), edge.provenance)]),
    ),
  };
}

interface Origins {
  readonly node: ValueOrigin;
  readonly type: ValueOrigin;
  readonly summary: ValueOrigin;
  readonly tags: ValueOrigin;
  /** Of the provenance of the node as a whole. */
  readonly stamp: ValueOrigin;
  readonly props: ReadonlyMap<string, ValueOrigin>;
  readonly observations: ReadonlyMap<number, ValueOrigin>;
  readonly edges: ReadonlyMap<string, ValueOrigin>;
}

async function readOrigins(reader: Reader, facts: NodeFacts): Promise<Origins> {
  for (let limit = firstVersions; ; limit *= 8) {
    const versions = await reader.versionsOf({ node: facts.node.id, edges: facts.edges, limit });
    const origins = findOrigins(versions, facts);
    const { node, type, summary, tags, stamp, props } = origins;
    const ofNode = [node, type, summary, tags, stamp, ...props.values()];
    if (!ofNode.includes('unread')) return origins;
  }
}

function findOrigins(versions: NodeVersions, { node, observations, edges }: NodeFacts): Origins {
  const history = new VersionHistory(versions, versions.nodes, versions.isComplete);
  const same = (part: (node: Node) => unknown): ValueOrigin =>
    history.origin((old) => !old.stub && equalJson(part(old), part(node)));
  const isNew = ({ value, born }: RowVersion<Node | Edge>) => value.order.seq === born;
  const observationsByOrdinal = groupEntries(
    versions.observations.map((version) => [version.value.ordinal, version]),
  );
  const edgesByKey = groupEntries(versions.edges.map((version) => [edgeKey(version.value), version]));
  return {
    node: history.origin(({ stub }) => !stub, isNew),
    type: same(({ type }) => type),
    summary: same(({ summary }) => summary),
    tags: same(({ tags }) => tags),
    stamp: same(({ provenance }) => stampFieldNames.map((field) => provenance?.[field])),
    props: new Map(Object.keys(node.props).map((name) => [name, same(({ props }) => props[name])])),
    observations: new Map(
      observations.map((observation) => {
        const own = new VersionHistory(versions, observationsByOrdinal.get(observation.ordinal) ?? []);
        return [observation.ordinal, own.origin((old) => sameObservation(old, observation))];
      }),
    ),
    edges: new Map(
      edges.map((edge) => {
        const own = new VersionHistory(versions, edgesByKey.get(edgeKey(edge)) ?? []);
        return [edgeKey(edge), own.origin((old) => sameEdge(old, edge))];
      }),
    ),
  };
}

function seqsIn({ node, type, summary, tags, props, observations, edges }: Origins): number[] {
  const all = [node, type, summary, tags, ...props.values(), ...observations.values(), ...edges.values()];
  return [...new Set(all.filter((origin) => typeof origin === 'number'))];
}

function mapValues<K, V, R>(map: ReadonlyMap<K, V>, change: (value: V, key: K) => R): Map<K, R> {
  return new Map([...map].map(([key, value]) => [key, change(value, key)]));
}
