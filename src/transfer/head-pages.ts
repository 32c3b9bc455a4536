import { createHash } from 'node:crypto';
import { readChunkSize } from '../bounds/chunks.js';
import type { Edge } from '../model/edge.js';
import { groupEntries } from '../model/group-entries.js';
import type { Node } from '../model/node.js';
import { type EdgeContent, edgeLineKey, type NodeContent } from '../store/jsonl/lines/line-record.js';
import { printEdge, printNode } from '../store/jsonl/lines/print-line.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';

/** In creation order. */
export async function* nodePages(reader: Reader): AsyncGenerator<(Node & NodeContent)[]> {
  for (let page = await reader.nodes({ limit: readChunkSize }); page.length > 0; ) {
    const observations = await reader.observationsOf(page.map(({ id }) => id));
    const texts = groupEntries(observations.map(({ node, text }) => [node, text]));
    yield page.map((node) => ({ ...node, observations: texts.get(node.id) ?? [] }));
    page = await reader.nodes({ limit: readChunkSize, after: page.at(-1)?.order });
  }
}

/** In creation order. */
export async function* edgePages(reader: Reader): AsyncGenerator<Edge[]> {
  for (let page = await reader.edges({ limit: readChunkSize }); page.length > 0; ) {
    yield page;
    page = await reader.edges({ limit: readChunkSize, after: page.at(-1)?.order });
  }
}

type HeadPage =
  | { readonly kind: 'nodes'; readonly nodes: readonly NodeContent[] }
  | { readonly kind: 'edges'; readonly edges: readonly EdgeContent[] };

/** The head of `main` as a JSON lines file can hold it: only the first of several nodes with one name. */
export async function* headPages(reader: Reader): AsyncGenerator<HeadPage> {
  const names = new Set<string>();
  for await (const page of nodePages(reader)) {
    yield { kind: 'nodes', nodes: page.filter(({ name }) => isNew(names, name)) };
  }
  const keys = new Set<string>();
  for await (const page of edgePages(reader)) {
    const edges = page.map((edge) => ({ ...edge, from: edge.fromName, to: edge.toName }));
    yield { kind: 'edges', edges: edges.filter((edge) => isNew(keys, edgeLineKey(edge))) };
  }
}

/** SHA-256 in hex of the file that `trellis export` writes. */
export function headDigest(store: Store, graph: string, commit?: string): Promise<string> {
  return store.read({ graph, commit }, async (reader) => {
    const hash = createHash('sha256');
    for await (const page of headPages(reader)) {
      if (page.kind === 'nodes') for (const node of page.nodes) hash.update(`${printNode(node, 'memory')}\n`);
      else for (const edge of page.edges) hash.update(`${printEdge(edge, 'memory')}\n`);
    }
    return hash.digest('hex');
  });
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
