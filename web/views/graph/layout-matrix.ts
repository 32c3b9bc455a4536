/** What goes to the layout worker and comes back, in the form that ForceAtlas2 works on. */
export interface LayoutJob {
  readonly nodes: Float32Array<ArrayBuffer>;
  readonly edges: Float32Array<ArrayBuffer>;
  readonly iterations: number;
}

/** Numbers for each node: position, forces, mass, convergence, size, fixed. */
export const nodeStride = 10;
const edgeStride = 3;

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** @param edges Pairs of indexes into `nodes`. */
export function layoutJob(
  nodes: readonly Placed[],
  edges: readonly (readonly [number, number])[],
  iterations: number,
): LayoutJob {
  const matrix = new Float32Array(nodes.length * nodeStride);
  nodes.forEach(({ x, y, size }, index) => {
    matrix.set([x, y, 0, 0, 0, 0, 1, 1, size, 0], index * nodeStride);
  });
  const links = new Float32Array(edges.length * edgeStride);
  edges.forEach(([from, to], index) => {
    links.set([from * nodeStride, to * nodeStride, 1], index * edgeStride);
    for (const end of [from, to]) {
      const mass = end * nodeStride + 6;
      matrix[mass] = (matrix[mass] ?? 1) + 1;
    }
  });
  return { nodes: matrix, edges: links, iterations };
}
