import { Graph } from '../../../engine/graph.js';
import type { Store } from '../../../store/store-contract.js';
import type { Embedder } from '../../embedders/embedder.js';
import { dropForeignVectors } from './drop-foreign-vectors.js';
import { type EmbedPropertiesOptions, embedProperties } from './embed-properties.js';
import { matchDimensions } from './match-dimensions.js';
import { parseEmbeddedProperties } from './parse-embedded-properties.js';

interface EmbedStoredPropertiesOptions
  extends Pick<EmbedPropertiesOptions, 'wanted' | 'progress' | 'stopped'> {
  readonly store: Store;
  readonly graph: string;
  readonly embedder: Embedder;
  /** Called for vectors that the embedder cannot fill. */
  readonly warn: (misfit: string) => void;
}

/** Fills the vectors of a graph on all its branches; returns their number. */
export async function embedStoredProperties(work: EmbedStoredPropertiesOptions): Promise<number> {
  const { store, graph: name, embedder, warn, ...rest } = work;
  if (!store.capabilities.schemas) return 0;
  const told = new Set<string>();
  let done = 0;
  for (const branch of await store.branches(name)) {
    const graph = new Graph(store, name, { branch: branch.name });
    const asked = await parseEmbeddedProperties(await graph.read((reader) => reader.schema()));
    const { matching, mismatches } = await matchDimensions(asked, embedder);
    for (const misfit of mismatches) if (!told.has(misfit)) warn(misfit);
    for (const misfit of mismatches) told.add(misfit);
    await dropForeignVectors({ store, graph: name, embedder, properties: matching, stopped: rest.stopped });
    done += await embedProperties({ ...rest, graph, embedder, properties: matching });
  }
  return done;
}
