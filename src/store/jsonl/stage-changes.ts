import { type Edge, edgeKey } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import { groupEntries } from '../../model/group-entries.js';
import type { Node, NodeId } from '../../model/node.js';
import type { Reader } from '../reader.js';
import type { BatchChanges } from '../sqlite/batch-interceptor.js';
import { type FileLines, type NodeFileLine, type RepeatedLine, unreadableBytes } from './file-lines.js';
import type { FileLine, LineChange } from './line-blocks.js';
import { foreignMembers } from './lines/foreign-members.js';
import { edgeLineKey, type LineFormat } from './lines/line-record.js';
import { hasReplacedText, withOriginalTexts } from './lines/original-texts.js';
import { printEdge, printNode } from './lines/print-line.js';

/** Of all nodes and stubs that lines mention. */
export type NodeNames = ReadonlyMap<NodeId, string>;

export interface StagedFile {
  readonly content: Buffer;
  readonly names: NodeNames;
  /** The newest seq in the order. */
  readonly seq: number;
  /** Whether the line of each changed node, by name, has texts that are shown with replaced characters. */
  readonly replaced: ReadonlyMap<string, boolean>;
  apply(): void;
}

export interface StageOptions {
  readonly names: NodeNames;
  readonly format: LineFormat;
  /** What has a later seq was created or moved by the batch, and goes to the end. */
  readonly since: number;
}

/** Prints the lines a batch has changed, and only those. */
export async function stageChanges(
  lines: FileLines,
  changes: BatchChanges,
  options: StageOptions,
): Promise<StagedFile> {
  const { reader } = changes;
  const nodes = await reader.nodesById(changes.nodes);
  const real = nodes.filter((node) => !node.stub);
  const observations = await reader.observationsOf(real.map(({ id }) => id));
  const facts = groupEntries(observations.map(({ node, text }) => [node, text]));
  const edges = await reader.edgesByIdentity(changes.edges);

  const nodeChanges = removedNodes(lines, changes, real, options.names);
  for (const node of real) putNode(lines, nodeChanges, node, facts.get(node.id) ?? [], options);
  const edgeChanges = removedEdges(changes, edges, options.names);
  for (const edge of edges) putEdge(lines, edgeChanges, edge, options);

  const stagedNodes = lines.nodes.stage(nodeChanges);
  const stagedEdges = lines.edges.stage(
    await placeMovedEdges(lines, edgeChanges, edges, { reader, since: options.since }),
  );
  const gone = { node: new Set(stagedNodes.removed), edge: new Set(stagedEdges.removed) };
  const said = new Map(real.map(({ id, name }) => [name, new Set(facts.get(id))]));
  // Deleting something deletes what repeats it: the repeated line would bring it back.
  const unreadable = lines.unreadable.filter(
    ({ repeats }) =>
      !repeats || !(gone[repeats.kind].has(repeats.key) || hasStaleObservations(repeats, said)),
  );
  const blocks = [...stagedNodes.blocks, ...stagedEdges.blocks].map((block) => block.bytes);
  return {
    content: Buffer.concat([...blocks, unreadableBytes(unreadable)]),
    names: collectNames(nodes, edges),
    replaced: new Map(
      [...nodeChanges].map(([name, change]) => [name, hasReplacedText(change?.line.text ?? '')]),
    ),
    seq: [...nodes, ...edges].reduce((seq, { order }) => Math.max(seq, order.seq), changes.seq),
    apply: () => {
      stagedNodes.apply();
      stagedEdges.apply();
      lines.unreadable = unreadable;
      lines.format ??= lines.nodes.size + lines.edges.size > 0 ? options.format : undefined;
    },
  };
}

/** Whether a repeated line has an observation that the node no longer has. */
function hasStaleObservations(line: RepeatedLine, said: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const texts = line.kind === 'node' ? said.get(line.key) : undefined;
  return line.kind === 'node' && texts !== undefined && line.observations.some((text) => !texts.has(text));
}

/** Of nodes that were removed or renamed, or became stubs. */
function removedNodes(
  lines: FileLines,
  changes: BatchChanges,
  real: readonly Node[],
  names: NodeNames,
): Map<string, LineChange<NodeFileLine>> {
  const living = new Map(real.map((node) => [node.id, node.name]));
  const removed = new Map<string, LineChange<NodeFileLine>>();
  for (const id of changes.nodes) {
    const name = names.get(id);
    if (name === undefined || living.get(id) === name) continue;
    if (lines.nodes.get(name)?.id === id) removed.set(name, undefined);
  }
  return removed;
}

function putNode(
  lines: FileLines,
  changes: Map<string, LineChange<NodeFileLine>>,
  node: Node,
  observations: readonly string[],
  { format, since }: StageOptions,
): void {
  const current = lines.nodes.get(node.name);
  const owner = changes.has(node.name) ? changes.get(node.name)?.line.id : current?.id;
  if (owner !== undefined && owner !== node.id) throw duplicateNameError(node);
  const append = node.order.seq > since;
  const foreign = current?.id === node.id && !append ? foreignMembers(current.text) : [];
  const content = { ...node, observations };
  const text = printNode(
    current?.id === node.id ? withOriginalTexts(content, current.text) : content,
    format,
    foreign,
  );
  changes.set(node.name, { line: { text, id: node.id }, append });
}

/** The batch knows edges by the ids of their ends, lines by their names. */
function removedEdges(
  changes: BatchChanges,
  edges: readonly Edge[],
  names: NodeNames,
): Map<string, LineChange<FileLine>> {
  const living = new Set(edges.map(edgeKey));
  const removed = new Map<string, LineChange<FileLine>>();
  for (const identity of changes.edges) {
    const from = names.get(identity.from);
    const to = names.get(identity.to);
    if (living.has(edgeKey(identity)) || from === undefined || to === undefined) continue;
    removed.set(edgeLineKey({ ...identity, from, to }), undefined);
  }
  return removed;
}

function putEdge(
  lines: FileLines,
  changes: Map<string, LineChange<FileLine>>,
  edge: Edge,
  { format, since }: StageOptions,
): void {
  const content = { ...edge, from: edge.fromName, to: edge.toName };
  const key = lineKeyOf(edge);
  const append = edge.order.seq > since;
  const current = append ? undefined : lines.edges.get(key);
  const foreign = current === undefined ? [] : foreignMembers(current.text);
  changes.set(key, { line: { text: printEdge(content, format, foreign) }, append });
}

/**
 * A moved edge gets a new line ahead of the edge that follows it. The last is placed first, so that each finds the one it
 * precedes; all older edges of the batch are placed again, since another may have moved to where one was.
 */
async function placeMovedEdges(
  lines: FileLines,
  changes: ReadonlyMap<string, LineChange<FileLine>>,
  edges: readonly Edge[],
  { reader, since }: { readonly reader: Reader; readonly since: number },
): Promise<ReadonlyMap<string, LineChange<FileLine>>> {
  const settled = edges.filter((edge) => edge.order.seq <= since);
  if (settled.every((edge) => lines.edges.get(lineKeyOf(edge)) !== undefined)) return changes;
  const placed = new Map<string, LineChange<FileLine>>();
  for (const edge of settled.reverse()) {
    const key = lineKeyOf(edge);
    const change = changes.get(key);
    if (change === undefined) continue;
    const [next] = await reader.edges({ after: edge.order, limit: 1 });
    const before = next !== undefined && next.order.seq <= since ? lineKeyOf(next) : undefined;
    placed.set(key, { ...change, append: true, before });
  }
  return new Map([...placed, ...[...changes].filter(([key]) => !placed.has(key))]);
}

function lineKeyOf(edge: Edge): string {
  return edgeLineKey({ ...edge, from: edge.fromName, to: edge.toName });
}

function collectNames(nodes: readonly Node[], edges: readonly Edge[]): NodeNames {
  const names = new Map(nodes.map((node) => [node.id, node.name]));
  for (const edge of edges) names.set(edge.from, edge.fromName).set(edge.to, edge.toName);
  return names;
}

function duplicateNameError({ name, type }: Node): TrellisError {
  return new TrellisError(
    'CAPABILITY_MISSING',
    `A JSON lines file holds one node of each name; ${name} is taken.`,
    { hint: 'Move to a database with: trellis import FILE --store memory.db', details: { name, type } },
  );
}
