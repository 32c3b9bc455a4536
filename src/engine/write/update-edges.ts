import { type Edge, edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import { checkName } from '../../model/text.js';
import type { Reader } from '../../store/reader.js';
import type { Transaction } from '../graph.js';
import type { EdgeSpec } from '../specs.js';
import { checkWeight, edgesExist } from './create-edges-strict.js';
import { edgeIdentityOf, formatEdge } from './find-new-edges.js';
import { NodesByName } from './nodes-by-name.js';
import { removeUnreferencedStubs } from './remove-unreferenced-stubs.js';

/** What is left out stays; the weight is new evidence, averaged with the current one. */
export interface EdgeUpdateSpec extends Omit<EdgeSpec, 'key' | 'props'> {
  readonly newFrom?: string;
  readonly newTo?: string;
  readonly newType?: string;
}

/** All or none, one after the other: each edge must exist, and its new identity must be free. */
export async function updateEdges(tx: Transaction, updates: readonly EdgeUpdateSpec[]): Promise<EdgeSpec[]> {
  for (const update of updates) checkUpdate(update);
  const ends = await NodesByName.loadEnds(tx.rows, [...updates, ...updates.map(targetOf)]);
  const places = await loadRevisions(tx.rows, updates, ends);
  const stored = new Map(places);
  const touched = new Set(updates.map((update) => applyUpdate(update, places, stored, ends)));
  const changed = [...touched].filter(isChange);
  if (changed.length > 0) {
    tx.announce('updateEdges', { updates });
    const left = changed.filter(isMove).map(({ before }) => before);
    await tx.rows.removeEdges(left);
    await tx.rows.putEdges(changed.map(({ now }) => now));
    await removeUnreferencedStubs(tx.rows, left);
  }
  return [...touched].map(({ now }) => specOf(now));
}

interface Revision {
  readonly before: Edge;
  now: Edge;
}

function checkUpdate({ weight, newFrom, newTo, newType }: EdgeUpdateSpec): void {
  if (weight !== undefined) checkWeight(weight);
  if (newFrom !== undefined) checkName(newFrom, 'The new from of an edge');
  if (newTo !== undefined) checkName(newTo, 'The new to of an edge');
  if (newType !== undefined) checkName(newType, 'The new type of an edge');
}

/** Every edge that an update names, or would collide with. */
async function loadRevisions(
  rows: Reader,
  updates: readonly EdgeUpdateSpec[],
  ends: NodesByName,
): Promise<Map<string, Revision>> {
  const specs = [...updates, ...updates.map(targetOf)];
  const identities = specs.flatMap((spec) => edgeIdentityOf(spec, ends) ?? []);
  const distinct = new Map(identities.map((identity) => [edgeKey(identity), identity]));
  const found = await rows.edgesByIdentity([...distinct.values()]);
  return new Map(found.map((edge) => [edgeKey(edge), { before: edge, now: edge }]));
}

function applyUpdate(
  update: EdgeUpdateSpec,
  places: Map<string, Revision>,
  stored: ReadonlyMap<string, Revision>,
  ends: NodesByName,
): Revision {
  const identity = edgeIdentityOf(update, ends) ?? edgeNotFound(update);
  const place = edgeKey(identity);
  const revision = places.get(place) ?? edgeNotFound(update);
  const target = targetOf(update);
  if (update.newFrom !== undefined) ends.require({ name: update.newFrom });
  if (update.newTo !== undefined) ends.require({ name: update.newTo });
  const wanted = edgeIdentityOf(target, ends) ?? edgeNotFound(target);
  if (edgeKey(wanted) !== place) {
    // The identity of another edge, before or after this call, is taken.
    const owner = places.get(edgeKey(wanted)) ?? stored.get(edgeKey(wanted));
    if (owner !== undefined && owner !== revision) throw edgesExist([target]);
    const names = { fromName: target.from, toName: target.to };
    revision.now = { ...revision.now, ...wanted, ...names };
    places.delete(place);
    places.set(edgeKey(wanted), revision);
  }
  if (update.weight !== undefined) {
    revision.now = { ...revision.now, weight: (revision.now.weight + update.weight) / 2 };
  }
  return revision;
}

function targetOf({ from, fromType, to, toType, type, newFrom, newTo, newType }: EdgeUpdateSpec): EdgeSpec {
  return {
    ...(newFrom === undefined ? { from, fromType } : { from: newFrom }),
    ...(newTo === undefined ? { to, toType } : { to: newTo }),
    type: newType ?? type,
  };
}

function isChange(revision: Revision): boolean {
  return isMove(revision) || revision.before.weight !== revision.now.weight;
}

function isMove({ before, now }: Revision): boolean {
  return edgeKey(before) !== edgeKey(now);
}

function specOf({ fromName, toName, type, weight }: Edge): EdgeSpec {
  return { from: fromName, to: toName, type, weight };
}

function edgeNotFound(edge: EdgeSpec): never {
  throw new TrellisError('NOT_FOUND', `Edge not found: ${formatEdge(edge)}`, {
    hint: 'Nothing was done. Add the edge first, or look it up: from, to and type must match exactly.',
    details: { edge: { from: edge.from, to: edge.to, type: edge.type } },
  });
}
