import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import type { NodeRef } from '../../api/types.js';
import { Problem } from '../../parts/problem.js';
import { address, branchName, graphName, linkTo } from '../../state/address.js';
import { startOfDay } from '../../state/start-of-day.js';
import { theme } from '../../state/theme.js';
import { asApiError } from '../../state/use-load.js';
import { colorsOf } from './colors.js';
import { GraphCanvas } from './graph-canvas.js';
import { emptyFilter } from './graph-filter.js';
import {
  addNeighborhood,
  type DrawnEdge,
  type DrawnGraph,
  type DrawnNode,
  keyOf,
  mostNodes,
  type Neighborhood,
  newDrawnGraph,
} from './graph-model.js';
import { GraphPanel } from './graph-panel.js';
import { GraphTools } from './graph-tools.js';

const firstNodes = 300;

/** The neighbourhood of a node, or the hubs of the graph; it grows by clicking. */
export function GraphExplorer() {
  const [type, name] = address.value.path;
  const key = JSON.stringify([graphName.value, branchName.value, type, name, theme.value]);
  const start = name === undefined || type === undefined ? undefined : { type, name };
  return <GraphDrawing key={key} start={start} />;
}

function GraphDrawing({ start }: { readonly start: NodeRef | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const [graph] = useState<DrawnGraph>(newDrawnGraph);
  const [canvas, setCanvas] = useState<GraphCanvas>();
  const [selected, setSelected] = useState<NodeRef | undefined>(start);
  const [hidden, setHidden] = useState(emptyFilter);
  const [version, setVersion] = useState(0);
  const [isCut, setCut] = useState(false);
  const [error, setError] = useState<unknown>();

  const grow = async (drawing: GraphCanvas, from: NodeRef | undefined, depth = 1) => {
    try {
      const limit = Math.min(firstNodes, mostNodes - graph.order);
      if (limit <= 0) return setCut(true);
      const found = await api.value.get<Neighborhood>(['neighborhood'], { ...from, depth, limit });
      addNeighborhood(graph, found, from === undefined ? undefined : keyOf(from));
      setCut(found.truncated);
      setVersion((count) => count + 1);
      drawing.layOut();
    } catch (problem) {
      setError(problem);
    }
  };

  useEffect(() => {
    if (place.current === null) return;
    let drawing: GraphCanvas;
    try {
      drawing = new GraphCanvas(graph, place.current, (node) => {
        setSelected({ type: node.type, name: node.name });
        void grow(drawing, { type: node.type, name: node.name });
      });
    } catch (problem) {
      setError(problem);
      return;
    }
    setCanvas(drawing);
    void grow(drawing, start, start === undefined ? 1 : 2);
    return () => drawing.close();
  }, []);

  const isEmpty = version > 0 && graph.order === 0;
  const types = countsOf(graph.mapNodes((_, node) => node.type));
  const relations = countsOf(graph.mapEdges((_, edge) => edge.relation));
  const actors = countsOf(
    [...graph.mapNodes(actorOf), ...graph.mapEdges(actorOf)].filter((actor) => actor !== undefined),
  );
  const colors = colorsOf(types);
  const { since, until } = address.value.params;
  const filter = {
    ...hidden,
    since: millisecondsOf(startOfDay(since)),
    until: millisecondsOf(startOfDay(until, 1)),
  };
  const hide = (part: 'types' | 'relations' | 'actors') => (values: ReadonlySet<string>) =>
    setHidden((before) => ({ ...before, [part]: values }));
  useEffect(() => {
    canvas?.show({
      ...{ colors, filter },
      selected: selected === undefined ? undefined : keyOf(selected),
    });
  });

  return (
    <div class="wide graph-view">
      <section aria-label="Graph" class="graph-stage">
        <h1 class="hidden">Graph</h1>
        <GraphTools graph={graph} canvas={canvas} colors={colors} filter={filter} isCut={isCut} />
        {error !== undefined && <Problem error={asApiError(error)} />}
        {isEmpty && (
          <p class="notice">
            There is nothing to draw on this branch yet. What agents store appears here; you can also{' '}
            <a href={linkTo('search')}>add a node</a> yourself.
          </p>
        )}
        <div
          ref={place}
          class="graph-place"
          role="img"
          aria-label="A drawing of the nodes listed beside it"
        />
      </section>
      <GraphPanel
        graph={graph}
        selected={selected}
        onSelect={(node) => {
          setSelected(node);
          canvas?.centerOn(node);
        }}
        onGrow={(node) => canvas !== undefined && grow(canvas, node)}
        filters={[
          { title: 'Types', counts: types, hidden: hidden.types, onChange: hide('types'), colors },
          { title: 'Relations', counts: relations, hidden: hidden.relations, onChange: hide('relations') },
          { title: 'Last changed by', counts: actors, hidden: hidden.actors, onChange: hide('actors') },
        ]}
      />
    </div>
  );
}

function countsOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function millisecondsOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

function actorOf(_: string, { lastChange }: DrawnNode | DrawnEdge): string | undefined {
  return lastChange?.actor;
}
