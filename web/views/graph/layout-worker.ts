import defaults from 'graphology-layout-forceatlas2/defaults.js';
import iterate from 'graphology-layout-forceatlas2/iterate.js';
import type { LayoutJob } from './layout-matrix.js';

/** Positions are reported this often, so that the reader sees the graph unfold. */
const reportMs = 60;

self.onmessage = ({ data }: MessageEvent<LayoutJob>) => run(data, data.iterations);

function run(job: LayoutJob, iterations: number): void {
  const { nodes, edges } = job;
  const isLarge = nodes.length > 5_000;
  const settings = {
    ...defaults,
    ...{ gravity: 2, scalingRatio: 8, slowDown: 2, adjustSizes: !isLarge, barnesHutOptimize: isLarge },
  };
  const until = performance.now() + reportMs;
  let left = iterations;
  while (left > 0 && performance.now() < until) {
    iterate(settings, nodes, edges);
    left -= 1;
  }
  self.postMessage({ nodes, isDone: left === 0 });
  if (left > 0) setTimeout(() => run(job, left));
}
