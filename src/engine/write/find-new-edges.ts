import { type EdgeIdentity, edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import type { EdgeDraft } from '../../store/drafts.js';
import type { Reader } from '../../store/reader.js';
import { type EdgeSpec, edgeEnds, type NodeName } from '../specs.js';
import type { NodesByName } from './nodes-by-name.js';

interface NewEdges<S extends EdgeSpec> {
  readonly fresh: readonly S[];
  /** Existing, or repeated within the batch. */
  readonly repeated: readonly S[];
}

export async function findNewEdges<S extends EdgeSpec>(
  rows: Reader,
  specs: readonly S[],
  ends: NodesByName,
): Promise<NewEdges<S>> {
  const distinct = new Map<string, S>();
  const repeated: S[] = [];
  for (const spec of specs) {
    const { from, fromType, to, toType, type, key = '' } = spec;
    const text = JSON.stringify([from, fromType, type, to, toType, key]);
    if (distinct.has(text)) repeated.push(spec);
    else distinct.set(text, spec);
  }
  const candidates = [...distinct.values()].map((spec) => ({ spec, identity: edgeIdentityOf(spec, ends) }));
  const identities = candidates.flatMap(({ identity }) => (identity === undefined ? [] : [identity]));
  const present = new Set((await rows.edgesByIdentity(identities)).map(edgeKey));
  const fresh: S[] = [];
  for (const { spec, identity } of candidates) {
    if (identity !== undefined && present.has(edgeKey(identity))) repeated.push(spec);
    else fresh.push(spec);
    // Named with or without its type, it is the same edge.
    if (identity !== undefined) present.add(edgeKey(identity));
  }
  return { fresh, repeated };
}

export function edgeDraft(spec: EdgeSpec, ends: NodesByName): EdgeDraft {
  const { type, weight, key = '', props } = spec;
  const { from, to } = edgeEnds(spec);
  const fromNode = requireEnd(ends, from);
  const toNode = requireEnd(ends, to);
  return {
    from: fromNode.id,
    to: toNode.id,
    type,
    key,
    fromName: fromNode.name,
    toName: toNode.name,
    ...(weight === undefined ? {} : { weight }),
    ...(props === undefined ? {} : { props }),
  };
}

export function formatEdge({ from, to, type }: EdgeSpec): string {
  return `${from} -> ${to} (${type})`;
}

/** Undefined if an end is missing. */
export function edgeIdentityOf(spec: EdgeSpec, ends: NodesByName): EdgeIdentity | undefined {
  const named = edgeEnds(spec);
  const from = ends.realOrStub(named.from);
  const to = ends.realOrStub(named.to);
  return from && to && { from: from.id, to: to.id, type: spec.type, key: spec.key ?? '' };
}

function requireEnd(ends: NodesByName, name: NodeName): Node {
  const node = ends.realOrStub(name);
  if (node === undefined) throw new TrellisError('INTERNAL', `No node or stub was made for ${name.name}.`);
  return node;
}
