import { editDistance } from '../../model/edit-distance.js';
import { TrellisError } from '../../model/error.js';
import { searchRanked } from '../../search/search-ranked.js';
import type { Reader } from '../../store/reader.js';
import type { CallContext } from '../call-context.js';

/** Shorter names have no index, and longer ones are not typing mistakes. */
const minNameLength = 3;
const maxNameLength = 100;
const candidateLimit = 20;
const suggestionLimit = 3;

/** If a node is not found, adds similar names to the error. */
export async function withSimilarNames<T>(call: CallContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const name =
      error instanceof TrellisError && error.code === 'NOT_FOUND' ? error.details?.['name'] : undefined;
    if (!(error instanceof TrellisError) || typeof name !== 'string') throw error;
    if (!call.may([{ action: 'read' }])) throw error;
    const similar = await call.graph.read((reader) => similarNames(reader, name)).catch(() => []);
    throw new TrellisError(error.code, error.message, {
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      details: { ...error.details, ...(similar.length === 0 ? {} : { similar }) },
      cause: error,
    });
  }
}

/** Names that contain the name, are contained in it, or differ little; the nearest first. */
async function similarNames(reader: Reader, name: string): Promise<string[]> {
  if (name.length < minNameLength || name.length > maxNameLength) return [];
  const wanted = name.toLowerCase();
  const { nodes: hits } = await reader.nodesContaining(wanted, candidateLimit);
  const contained = (await reader.nodesById(hits.slice(0, candidateLimit))).filter((node) => !node.stub);
  const ranked = await searchRanked(reader, name, { limit: candidateLimit });
  const names = new Set([...contained, ...ranked.nodes.map(({ node }) => node)].map((node) => node.name));
  names.delete(name);
  const max = Math.max(2, wanted.length / 2);
  return [...names]
    .map((candidate) => ({ candidate, far: distance(wanted, candidate.toLowerCase(), max) }))
    .filter(({ far }) => far <= max)
    .sort((a, b) => a.far - b.far)
    .slice(0, suggestionLimit)
    .map(({ candidate }) => candidate);
}

/** Adding to one end counts half. */
function distance(a: string, b: string, max: number): number {
  if (a.includes(b) || b.includes(a)) return Math.min(Math.abs(a.length - b.length) / 2, 2);
  return editDistance(a, b, max);
}
