import { once } from 'node:events';
import { type ExportOptions, exportLines } from '../../ingest/export-lines.js';
import type { WriteTarget } from '../../store/graph-targets.js';
import type { LineFormat } from '../../store/jsonl/lines/line-record.js';
import { printEdge, printNode } from '../../store/jsonl/lines/print-line.js';
import type { Store } from '../../store/store-contract.js';
import type { ExportedEdge, ExportedNode, ExportSource } from '../../transfer/export-source.js';
import { pluralize } from '../print.js';

export interface WrittenGraph {
  readonly nodes: number;
  readonly edges: number;
  /** What the format cannot hold, one sentence each. */
  readonly leftOut: readonly string[];
}

const historyLeftOut = 'the history (commits and times) is left out';

export async function writeGraph(
  source: ExportSource,
  format: LineFormat,
  output: NodeJS.WritableStream,
): Promise<WrittenGraph> {
  const left = new ExportLosses();
  let nodes = 0;
  for await (const page of source.nodePages()) {
    for (const node of page) left.seeNode(node);
    nodes += page.length;
    await writeLinesTo(
      output,
      page.map((node) => printNode(node, format)),
    );
  }
  let edges = 0;
  for await (const page of source.edgePages()) {
    for (const edge of page) left.seeEdge(edge);
    edges += page.length;
    await writeLinesTo(
      output,
      page.map((edge) => printEdge({ ...edge, from: edge.fromName, to: edge.toName }, format)),
    );
  }
  return { nodes, edges, leftOut: left.sentences() };
}

export function writeNdjson(
  store: Store,
  target: WriteTarget,
  output: NodeJS.WritableStream,
  options: ExportOptions,
): Promise<WrittenGraph> {
  return store.read(target, async (reader) => {
    let nodes = 0;
    let edges = 0;
    for await (const page of exportLines((work) => work(reader), options)) {
      nodes += page.nodes;
      edges += page.edges;
      if (!output.write(`${page.lines.join('\n')}\n`)) await once(output, 'drain');
    }
    return { nodes, edges, leftOut: [historyLeftOut] };
  });
}

/** What a server exports. */
export async function copyNdjson(
  chunks: AsyncIterable<Uint8Array>,
  output: NodeJS.WritableStream,
): Promise<WrittenGraph> {
  let lines = 0;
  let edges = 0;
  let rest = '';
  for await (const chunk of chunks) {
    const [first = '', ...more] = Buffer.from(chunk).toString('latin1').split('\n');
    const complete = more.length === 0 ? [] : [rest + first, ...more.slice(0, -1)];
    rest = more.at(-1) ?? rest + first;
    lines += complete.length;
    edges += complete.filter((line) => line.startsWith('{"edge":')).length;
    if (!output.write(chunk)) await once(output, 'drain');
  }
  return { nodes: lines - edges, edges, leftOut: [historyLeftOut] };
}

async function writeLinesTo(output: NodeJS.WritableStream, lines: readonly string[]): Promise<void> {
  const text = lines.map((line) => `${line}\n`).join('');
  if (!output.write(text)) await once(output, 'drain');
}

class ExportLosses {
  #described = 0;
  #withProvenance = 0;

  seeNode({ props, summary, tags, provenance }: ExportedNode): void {
    if (Object.keys(props).length > 0 || summary !== null || tags.length > 0) this.#described += 1;
    if (provenance !== null) this.#withProvenance += 1;
  }

  seeEdge({ props, key, provenance }: ExportedEdge): void {
    if (Object.keys(props).length > 0 || key !== '') this.#described += 1;
    if (provenance !== null) this.#withProvenance += 1;
  }

  sentences(): string[] {
    const counted = [
      [this.#described, 'a summary, tags, properties or a key, as extra keys that other programs ignore'],
      [this.#withProvenance, 'provenance, which is left out'],
    ] as const;
    const losses = counted
      .filter(([count]) => count > 0)
      .map(([count, what]) => `${pluralize(count, 'line')} ${count === 1 ? 'has' : 'have'} ${what}`);
    return [...losses, historyLeftOut];
  }
}
