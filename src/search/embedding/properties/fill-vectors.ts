import { isDeepStrictEqual } from 'node:util';
import type { Graph } from '../../../engine/graph.js';
import type { Author } from '../../../model/commit.js';
import type { Props } from '../../../model/json.js';
import type { NodeId } from '../../../model/node.js';
import { type Embedder, shortenVector } from '../../embedders/embedder.js';
import { defaultPerspectives } from '../../perspectives.js';
import { isStillNeeded, type VectorScope, type VectorTask } from './vector-task.js';

interface FillVectorsOptions {
  readonly graph: Graph;
  readonly embedder: Embedder;
  readonly wanted: VectorScope;
  readonly stopped: () => boolean;
}

interface MadeVector {
  readonly gap: VectorTask;
  readonly vector: readonly number[];
}

/**
 * Writes the vectors as one commit; if the embedder fails, those made before are written too. Returns their number.
 */
export async function fillVectors(filling: FillVectorsOptions, gaps: readonly VectorTask[]): Promise<number> {
  const { embedder, stopped } = filling;
  const made: MadeVector[] = [];
  for (let at = 0; at < gaps.length && !stopped(); at += embedder.batchSize) {
    const some = gaps.slice(at, at + embedder.batchSize);
    try {
      made.push(...(await makeVectors(embedder, some)));
    } catch (error) {
      await writeVectors(filling, made);
      throw error;
    }
  }
  return writeVectors(filling, made);
}

async function makeVectors(embedder: Embedder, gaps: readonly VectorTask[]): Promise<MadeVector[]> {
  const [perspective] = defaultPerspectives;
  if (perspective === undefined) return [];
  const vectors = await embedder.embed(
    gaps.map(({ text }) => text),
    'document',
    perspective,
  );
  return gaps.flatMap((gap, at): MadeVector[] => {
    const vector = vectors[at];
    // A zero vector has no direction, so nothing is near to it.
    if (vector === undefined || vector.every((value) => value === 0)) return [];
    return [{ gap, vector: Array.from(shortenVector(vector, gap.dimension), roundToFloat32) }];
  });
}

/** Only the digits a float32 has: the others are artefacts of 64 bits. */
function roundToFloat32(value: number): number {
  return Number(value.toPrecision(7));
}

/** Skips nodes whose text has changed: they are a new task. */
async function writeVectors(
  { graph, embedder, wanted }: FillVectorsOptions,
  made: readonly MadeVector[],
): Promise<number> {
  if (made.length === 0) return 0;
  const ids = [...new Set(made.map(({ gap }) => gap.node))];
  return graph.write(embedAuthorOf(embedder), async ({ rows }) => {
    const nodes = new Map((await rows.nodesById(ids)).map((node) => [node.id, node]));
    const filled = new Map<NodeId, Props>();
    let count = 0;
    for (const { gap, vector } of made) {
      const node = nodes.get(gap.node);
      if (node === undefined || !isStillNeeded(node, gap, wanted)) continue;
      count += 1;
      if (isDeepStrictEqual(node.props[gap.property], vector)) continue;
      filled.set(node.id, { ...(filled.get(node.id) ?? node.props), [gap.property]: vector });
    }
    await rows.putNodes(
      [...filled].flatMap(([id, props]) => {
        const node = nodes.get(id);
        return node === undefined ? [] : [{ ...node, props }];
      }),
    );
    return count;
  });
}

export const embedAuthor = { actor: 'trellis', tool: 'embed' } as const;

/** The message names the model, so that history says which one made a vector. */
export function embedAuthorOf({ id }: Embedder): Author {
  return { ...embedAuthor, message: id };
}
