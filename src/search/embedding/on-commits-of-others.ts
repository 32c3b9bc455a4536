import type { Graph } from '../../engine/graph.js';

/** Processes usually embed what they write, so others leave them time for it. */
const graceMs = 1_000;

/** Calls `wake` some time after other processes have committed to the graph. Returns how to stop. */
export function onCommitsOfOthers(graph: Pick<Graph, 'watch'>, wake: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watching = graph.watch((change) => {
    if (change.kind !== 'commits' || change.own !== undefined || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      wake();
    }, graceMs);
    timer.unref();
  });
  // Whoever reads the graph learns what is wrong with it.
  const stopped = watching.catch(() => () => {});
  return () => {
    void stopped.then((stop) => {
      stop();
      clearTimeout(timer);
    });
  };
}
