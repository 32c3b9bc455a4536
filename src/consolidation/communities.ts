import louvain from 'graphology-communities-louvain';
import { TrellisError } from '../model/error.js';
import type { Ties } from './clusters.js';

/** The community of each node by the Louvain method; without chance, so that the same graph always has the same ones. */
export function communitiesOf(ties: Ties): ReadonlyMap<string, number> {
  // The package is a function, whatever its types say of a default export.
  const run: unknown = louvain;
  if (typeof run !== 'function') throw new TrellisError('INTERNAL', 'The communities cannot be computed.');
  const options = { randomWalk: false, rng: () => 0.5, getEdgeWeight: 'weight' };
  const communities: Record<string, number> = Reflect.apply(run, undefined, [ties, options]);
  return new Map(Object.entries(communities));
}
