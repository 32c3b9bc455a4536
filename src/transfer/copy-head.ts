import type { Author } from '../model/commit.js';
import { TrellisError } from '../model/error.js';
import { type NodeId, stubType } from '../model/node.js';
import type { EdgeContent, NodeContent } from '../store/jsonl/lines/line-record.js';
import type { Reader } from '../store/reader.js';
import type { Store } from '../store/store-contract.js';
import type { Writer } from '../store/writer.js';
import { headPages } from './head-pages.js';

interface CopyHeadOptions {
  readonly from: { readonly store: Store; readonly graph: string; readonly commit: string | undefined };
  readonly to: { readonly store: Store; readonly graph: string };
  readonly author: Author;
}

/** Writes the head of `main` as one commit, without what a JSON lines file cannot hold. */
export function copyHead({ from, to, author }: CopyHeadOptions): Promise<void> {
  return from.store.read({ graph: from.graph, commit: from.commit }, async (reader) => {
    const schema = to.store.capabilities.schemas ? await reader.schema() : null;
    await to.store.write({ graph: to.graph }, author, async (writer) => {
      if (schema !== null) await writer.setSchema(schema);
      await copyPages(reader, writer);
    });
  });
}

async function copyPages(reader: Reader, writer: Writer): Promise<void> {
  const ids = new Map<string, NodeId>();
  for await (const page of headPages(reader)) {
    if (page.kind === 'nodes') await putNodes(writer, ids, page.nodes);
    else await putEdges(writer, ids, page.edges);
  }
}

async function putNodes(
  writer: Writer,
  ids: Map<string, NodeId>,
  nodes: readonly NodeContent[],
): Promise<void> {
  const made = await writer.addIdentities(
    nodes.map(({ type, name, observations }) => ({ type, name, observations: observations.length })),
  );
  for (const { name, node } of made) ids.set(name, node);
  await writer.putNodes(
    nodes.map(({ type, name, summary, tags, props }) => ({
      ...{ id: idOf(ids, name), type, name, summary, tags, props },
      summaryUpdatedAt: summary === null ? null : writer.now,
    })),
  );
  await writer.putObservations(
    nodes.flatMap(({ name, observations }) => observations.map((text) => ({ node: idOf(ids, name), text }))),
  );
}

async function putEdges(
  writer: Writer,
  ids: Map<string, NodeId>,
  edges: readonly EdgeContent[],
): Promise<void> {
  const stubs = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((name) => !ids.has(name));
  const made = await writer.addIdentities(stubs.map((name) => ({ type: stubType, name })));
  for (const { name, node } of made) ids.set(name, node);
  await writer.putNodes(stubs.map((name) => ({ id: idOf(ids, name), type: stubType, name, stub: true })));
  await writer.putEdges(
    edges.map(({ from, to, type, key, weight, props }) => ({
      ...{ from: idOf(ids, from), to: idOf(ids, to), type, key, weight, props },
      ...{ fromName: from, toName: to },
    })),
  );
}

function idOf(ids: ReadonlyMap<string, NodeId>, name: string): NodeId {
  const id = ids.get(name);
  if (id === undefined) throw new TrellisError('INTERNAL', `No node was created for ${name}.`);
  return id;
}
