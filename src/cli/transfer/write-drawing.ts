import { once } from 'node:events';
import type { NodeId } from '../../model/node.js';
import type { ExportSource } from '../../transfer/export-source.js';
import { dotFormat } from '../../transfer/formats/dot-format.js';
import type { DrawingFormat } from '../../transfer/formats/drawing-format.js';
import { graphmlFormat } from '../../transfer/formats/graphml-format.js';
import { mermaidFormat } from '../../transfer/formats/mermaid-format.js';
import type { WrittenGraph } from './write-graph.js';

export const drawingFormats = { dot: dotFormat, graphml: graphmlFormat, mermaid: mermaidFormat };

const leftOut: Record<keyof typeof drawingFormats, string> = {
  dot: 'summaries, tags, properties, weights, provenance and the history are left out',
  graphml: 'provenance and the history are left out',
  mermaid: 'observations, summaries, tags, properties, weights, provenance and the history are left out',
};

export async function writeDrawing(
  source: ExportSource,
  name: keyof typeof drawingFormats,
  output: NodeJS.WritableStream,
): Promise<WrittenGraph> {
  const format: DrawingFormat = drawingFormats[name];
  const ids = new Map<NodeId, number>();
  const numberFor = (id: NodeId) => {
    const number = ids.get(id) ?? ids.size + 1;
    ids.set(id, number);
    return number;
  };
  const write = async (texts: readonly string[]) => {
    if (!output.write(texts.join(''))) await once(output, 'drain');
  };
  await write([format.head]);
  for await (const page of source.nodePages()) {
    await write(page.map((node) => format.node(numberFor(node.id), node)));
  }
  const nodes = ids.size;
  const stubs = await source.stubs();
  await write(stubs.map((stub) => format.node(numberFor(stub.id), stub)));
  let edges = 0;
  for await (const page of source.edgePages()) {
    edges += page.length;
    await write(page.map((edge) => format.edge(numberFor(edge.from), numberFor(edge.to), edge)));
  }
  await write([format.tail]);
  return { nodes, edges, leftOut: [leftOut[name]] };
}
