import defaults from 'graphology-layout-forceatlas2/defaults.js';
import iterate from 'graphology-layout-forceatlas2/iterate.js';
import { layoutJob, nodeStride } from '../views/graph/layout-matrix.js';
import type { GraphPage } from './graph-page.js';

export const width = 640;
export const height = 360;
const margin = 40;
const iterations = 150;

interface PlacedNode {
  readonly name: string;
  /** Missing for a node that is known only by its relations. */
  readonly type?: string;
  readonly x: number;
  readonly y: number;
}

interface Line {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  readonly type: string;
}

/** Places the nodes that the relations of a page connect; some are known only by their names. */
export function layOut({ nodes, edges }: GraphPage): {
  readonly nodes: readonly PlacedNode[];
  readonly lines: readonly Line[];
} {
  const types = new Map(nodes.map(({ name, type }) => [name, type]));
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const all = names.map((name) => ({ name, type: types.get(name) }));
  const index = new Map(all.map(({ name }, at) => [name, at]));
  const pairs = edges.map(({ from, to }) => [index.get(from) ?? 0, index.get(to) ?? 0] as const);
  const start = all.map((_, at) => ({
    x: Math.cos(at * 2.399963) * Math.sqrt(at) * 10,
    y: Math.sin(at * 2.399963) * Math.sqrt(at) * 10,
    size: 10,
  }));
  const { nodes: matrix, edges: links } = layoutJob(start, pairs, iterations);
  const settings = { ...defaults, gravity: 1, scalingRatio: 20, slowDown: 2, adjustSizes: true };
  for (let round = 0; round < iterations; round += 1) iterate(settings, matrix, links);
  const at = (column: number) => all.map((_, row) => matrix[row * nodeStride + column] ?? 0);
  const [xs, ys] = [spread(at(0), width), spread(at(1), height)];
  const placed = all.map(({ name, type }, row) => ({
    ...{ name, ...(type === undefined ? {} : { type }) },
    ...{ x: xs[row] ?? 0, y: ys[row] ?? 0 },
  }));
  const lines = edges.flatMap(({ type }, edge) => {
    const [from, to] = (pairs[edge] ?? []).map((node) => placed[node]);
    return from === undefined || to === undefined ? [] : [{ from, to, type }];
  });
  return { nodes: placed, lines };
}

/** Fits coordinates into the picture. */
function spread(values: readonly number[], room: number): readonly number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (high - low < 1) return values.map(() => room / 2);
  return values.map((value) => Math.round(margin + ((value - low) / (high - low)) * (room - 2 * margin)));
}
