import { createReadStream } from 'node:fs';
import { defaultGraph, mainBranch } from '../model/graph-record.js';
import { foreignMembers } from '../store/jsonl/lines/foreign-members.js';
import { readJsonlLines } from '../store/jsonl/lines/read-jsonl-lines.js';
import type { Reader } from '../store/reader.js';
import type { Capabilities, Store } from '../store/store-contract.js';
import { edgePages, nodePages } from './head-pages.js';
import { canCopyHistory, commitsUntil } from './history-end.js';

const maxNamed = 5;

/** What a target with these capabilities cannot hold, one phrase each. */
export async function copyLosses(source: Store, graph: string, target: Capabilities): Promise<string[]> {
  if (!source.capabilities.branches || (await canCopyHistory(source, target, graph))) return [];
  const end = await source.branches(graph);
  let commits = 0;
  for await (const page of commitsUntil(source, graph, end)) commits += page.length;
  const branches = end.map(({ name }) => name).filter((name) => name !== mainBranch);
  return [
    ...(graph === defaultGraph || target.graphs
      ? []
      : [`the name of the graph, which is ${defaultGraph} in a JSON lines file`]),
    ...(commits === 0
      ? []
      : [
          `the history (commits: ${commits})${target.branches ? ', because trellis gc has dropped part of it' : ''}: who wrote what and when, and the ordinals`,
        ]),
    ...(branches.length === 0 ? [] : [`the branches ${listed(branches)}`]),
    ...(target.schemas ? [] : await source.read({ graph }, schemaLosses)),
    ...(await source.read({ graph }, headLosses)),
  ];
}

/** What of a JSON lines file a graph cannot hold, one phrase each. */
export async function jsonlFileLosses(path: string): Promise<string[]> {
  const lines: string[] = [];
  const keys = new Set<string>();
  for await (const record of readJsonlLines(createReadStream(path))) {
    if (record.kind === 'unreadable') lines.push(`line ${record.line}, which ${record.reason}`);
    if (record.kind === 'node' && record.original !== undefined)
      lines.push(`characters of line ${record.line} that cannot be stored, which become U+FFFD`);
    if (record.kind !== 'unreadable') for (const { key } of foreignMembers(record.text ?? '')) keys.add(key);
  }
  return [...lines, ...(keys.size === 0 ? [] : [`keys that a graph cannot store: ${listed([...keys])}`])];
}

async function schemaLosses(reader: Reader): Promise<string[]> {
  return (await reader.schema()) === null ? [] : ['the schema'];
}

async function headLosses(reader: Reader): Promise<string[]> {
  const provenance = { nodes: 0, observations: 0, edges: 0 };
  const names = new Set<string>();
  const shared = new Set<string>();
  for await (const page of nodePages(reader)) {
    for (const node of page) {
      if (node.provenance !== null) provenance.nodes += 1;
      if (names.has(node.name)) shared.add(node.name);
      names.add(node.name);
    }
    const observations = await reader.observationsOf(page.map(({ id }) => id));
    provenance.observations += observations.filter((observation) => observation.provenance !== null).length;
  }
  for await (const page of edgePages(reader))
    provenance.edges += page.filter((edge) => edge.provenance !== null).length;
  const stated = Object.entries(provenance).filter(([, count]) => count > 0);
  return [
    ...(stated.length === 0
      ? []
      : [`the provenance (${stated.map(([what, count]) => `${what}: ${count}`).join(', ')})`]),
    ...(shared.size === 0
      ? []
      : [`all but the first of the nodes with the same name: ${listed([...shared])}`]),
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
