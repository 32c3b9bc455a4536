import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { Loading } from '../../parts/loading.js';
import { NodeLink } from '../../parts/node-link.js';
import { branchName, goTo, graphName, linkToNode } from '../../state/address.js';
import { theme } from '../../state/theme.js';
import { useLoad } from '../../state/use-load.js';
import { colorsOf } from '../graph/colors.js';
import { GraphCanvas } from '../graph/graph-canvas.js';
import { emptyFilter } from '../graph/graph-filter.js';
import { addNeighborhood, type DrawnGraph, type Neighborhood, newDrawnGraph } from '../graph/graph-model.js';

const mostNeighbours = 500;
const atOnce = 6;

/** Nodes of a result, and the relations between them. */
export function ResultDrawing({ names }: { readonly names: readonly string[] }) {
  const found = useLoad(
    ['result', graphName.value, branchName.value, names],
    (signal) => loadGraph(names, signal),
    { isLive: false },
  );
  return (
    <Loading from={found}>
      {(graph) => (
        <div class="result-graph">
          <Canvas key={theme.value} graph={graph} />
          <ul class="plain-list">
            {graph.mapNodes((key, node) => (
              <li key={key}>
                <NodeLink node={node} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Loading>
  );
}

function Canvas({ graph }: { readonly graph: DrawnGraph }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const canvas = new GraphCanvas(graph, place.current, (node) => goTo(linkToNode(node)));
    const counts = new Map<string, number>();
    graph.forEachNode((_, { type }) => counts.set(type, (counts.get(type) ?? 0) + 1));
    canvas.show({ colors: colorsOf(counts), filter: emptyFilter, selected: undefined });
    canvas.layOut();
    return () => canvas.close();
  }, [graph]);
  return (
    <div ref={place} class="graph-place" role="img" aria-label="A drawing of the nodes listed below it" />
  );
}

/** Relations are only drawn between nodes that the query returned. */
async function loadGraph(names: readonly string[], signal: AbortSignal): Promise<DrawnGraph> {
  const wanted = new Set(names);
  const graph = newDrawnGraph();
  for (let start = 0; start < names.length; start += atOnce) {
    const found = await Promise.allSettled(
      names
        .slice(start, start + atOnce)
        .map((name) =>
          api.value.get<Neighborhood>(['neighborhood'], { name, depth: 1, limit: mostNeighbours }, signal),
        ),
    );
    // Names that several types share are left out.
    for (const one of found) if (one.status === 'fulfilled') addNeighborhood(graph, one.value);
  }
  for (const key of graph.nodes()) if (!wanted.has(graph.getNodeAttribute(key, 'name'))) graph.dropNode(key);
  return graph;
}
