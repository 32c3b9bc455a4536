import { address, graphName } from '../../state/address.js';
import { sayError } from '../../state/toasts.js';
import type { GraphCanvas } from './graph-canvas.js';
import { type GraphFilter, hidesNode } from './graph-filter.js';
import type { DrawnGraph } from './graph-model.js';
import { savePng, saveSvg, svgOf } from './save-picture.js';

interface Props {
  readonly graph: DrawnGraph;
  readonly canvas: GraphCanvas | undefined;
  readonly colors: ReadonlyMap<string, string>;
  readonly filter: GraphFilter;
  readonly isCut: boolean;
}

export function GraphTools({ graph, canvas, colors, filter, isCut }: Props) {
  const picture = () => {
    const style = getComputedStyle(document.body);
    return svgOf(graph, { colors, text: style.color, ground: style.backgroundColor, filter });
  };
  const name = [graphName.value, address.value.path[1]]
    .filter((part) => part !== undefined)
    .join('-')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 80);
  const hidden = graph.filterNodes((_, node) => hidesNode(filter, node)).length;
  return (
    <div class="row graph-tools">
      <button type="button" aria-label="Zoom in" onClick={() => canvas?.zoom(2)}>
        +
      </button>
      <button type="button" aria-label="Zoom out" onClick={() => canvas?.zoom(0.5)}>
        −
      </button>
      <button type="button" onClick={() => canvas?.fit()}>
        Fit
      </button>
      <button type="button" onClick={() => canvas?.layOut()}>
        Arrange
      </button>
      <button type="button" onClick={() => savePng(picture(), name).catch(sayError)}>
        Save PNG
      </button>
      <button type="button" onClick={() => saveSvg(picture(), name).catch(sayError)}>
        Save SVG
      </button>
      <span class="muted" role="status">
        {graph.order.toLocaleString()} nodes, {graph.size.toLocaleString()} relations
        {hidden > 0 && `; ${hidden.toLocaleString()} ${hidden === 1 ? 'node is' : 'nodes are'} filtered out`}
        {isCut && '; there are more: click a node to see its neighbours'}
      </span>
    </div>
  );
}
