import { once } from 'node:events';
import { exportLines } from '../../ingest/export-lines.js';
import type { WriteTarget } from '../../store/graph-targets.js';
import type { Store } from '../../store/store-contract.js';
import type { WrittenGraph } from './write-graph.js';

/** Writes one consistent state of a branch as the lines that `trellis ingest` takes. */
export function writeNdjson(
  store: Store,
  target: WriteTarget,
  output: NodeJS.WritableStream,
): Promise<WrittenGraph> {
  return store.read(target, async (reader) => {
    let nodes = 0;
    let edges = 0;
    for await (const page of exportLines((work) => work(reader))) {
      nodes += page.nodes;
      edges += page.edges;
      if (!output.write(`${page.lines.join('\n')}\n`)) await once(output, 'drain');
    }
    const leftOut = ['the history (commits and times) is left out'];
    return { nodes, edges, leftOut };
  });
}
