import Sigma from 'sigma';
import { emptyFilter, type GraphFilter, hidesEdge, hidesNode } from './graph-filter.js';
import { type DrawnEdge, type DrawnGraph, type DrawnNode, keyOf } from './graph-model.js';
import { layoutJob, nodeStride } from './layout-matrix.js';

export interface Look {
  readonly colors: ReadonlyMap<string, string>;
  readonly filter: GraphFilter;
  readonly selected: string | undefined;
}

const policy =
  typeof trustedTypes === 'undefined'
    ? undefined
    : trustedTypes.createPolicy('trellis-worker', { createScriptURL: (url) => url });

/** Draws a graph into an element and keeps its layout moving. */
export class GraphCanvas {
  readonly #graph: DrawnGraph;
  readonly #sigma: Sigma<DrawnNode, DrawnEdge>;
  #worker: Worker | undefined;
  #look: Look = { colors: new Map(), filter: emptyFilter, selected: undefined };

  constructor(graph: DrawnGraph, place: HTMLElement, onClick: (node: DrawnNode) => void) {
    this.#graph = graph;
    const style = getComputedStyle(place);
    this.#sigma = new Sigma(graph, place, {
      defaultEdgeType: 'arrow',
      defaultEdgeColor: style.borderTopColor,
      labelColor: { color: style.color },
      labelFont: style.fontFamily,
      labelSize: 12,
      labelRenderedSizeThreshold: 2,
      labelDensity: 2,
      labelGridCellSize: 70,
      zIndex: true,
      allowInvalidContainer: true,
      nodeReducer: (key, node) => {
        const { colors, filter, selected } = this.#look;
        const { type: nodeType, ...drawn } = node;
        return {
          ...drawn,
          color: colors.get(nodeType) ?? '#888888',
          hidden: hidesNode(filter, node),
          highlighted: key === selected,
        };
      },
      edgeReducer: (_, edge) => ({
        ...edge,
        size: 1.2,
        hidden: hidesEdge(this.#look.filter, edge),
      }),
      defaultDrawNodeHover: drawHighlight(style),
    });
    this.#sigma.on('clickNode', ({ node }) => onClick(graph.getNodeAttributes(node)));
  }

  show(look: Look): void {
    this.#look = look;
    this.#sigma.refresh();
  }

  /** Places the nodes anew, from where they are; in a worker, so that the page stays responsive. */
  layOut(): void {
    this.#worker?.terminate();
    const nodes = this.#graph.nodes();
    if (nodes.length < 2) return;
    const index = new Map(nodes.map((key, at) => [key, at]));
    const edges = this.#graph.mapEdges(
      (_, __, source, target) => [index.get(source) ?? 0, index.get(target) ?? 0] as const,
    );
    const url = new URL(LAYOUT_WORKER, import.meta.url).href;
    const worker = new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' });
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<{ nodes: Float32Array; isDone: boolean }>) => {
      nodes.forEach((key, at) => {
        const x = data.nodes[at * nodeStride] ?? 0;
        const y = data.nodes[at * nodeStride + 1] ?? 0;
        if (this.#graph.hasNode(key)) this.#graph.mergeNodeAttributes(key, { x, y });
      });
      if (data.isDone) worker.terminate();
    };
    const attributes = nodes.map((key) => this.#graph.getNodeAttributes(key));
    worker.postMessage(layoutJob(attributes, edges, nodes.length > 1_000 ? 200 : 400));
  }

  centerOn(node: { readonly type: string; readonly name: string }): void {
    const data = this.#sigma.getNodeDisplayData(keyOf(node));
    if (data !== undefined) void this.#sigma.getCamera().animate({ x: data.x, y: data.y }, { duration: 300 });
  }

  zoom(factor: number): void {
    const camera = this.#sigma.getCamera();
    void (factor > 1 ? camera.animatedZoom() : camera.animatedUnzoom());
  }

  fit(): void {
    void this.#sigma.getCamera().animatedReset();
  }

  close(): void {
    this.#worker?.terminate();
    this.#sigma.kill();
  }
}

/** The label of a node under the pointer, on the ground of the page in either theme. */
function drawHighlight(style: CSSStyleDeclaration) {
  return (
    context: CanvasRenderingContext2D,
    data: { readonly x: number; readonly y: number; readonly size: number; readonly label: string | null },
  ): void => {
    const label = data.label ?? '';
    context.font = `600 13px ${style.fontFamily}`;
    const width = context.measureText(label).width;
    context.fillStyle = style.backgroundColor;
    context.strokeStyle = style.color;
    context.beginPath();
    context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI);
    context.stroke();
    context.fillRect(data.x + data.size + 4, data.y - 10, width + 8, 20);
    context.fillStyle = style.color;
    context.fillText(label, data.x + data.size + 8, data.y + 4);
  };
}
