import { groupEntries } from '../../model/group-entries.js';
import type { Props } from '../../model/json.js';
import type { Node, NodeId, Observation } from '../../model/node.js';
import { retainProvenance } from '../../model/provenance.js';
import { renderProps, shownProps } from '../../model/render-props.js';
import { checkFact, checkName, checkText } from '../../model/text.js';
import type { ObservationDraft } from '../../store/drafts.js';
import type { Writer } from '../../store/writer.js';
import type { Transaction } from '../graph.js';
import type { NodeSpec } from '../specs.js';
import { resolveRenamedIds } from './assign-node-ids.js';
import { diffObservations, type ObservationEdits } from './diff-observations.js';
import { NodesByName } from './nodes-by-name.js';

/** What is left out stays. */
export interface NodeUpdateSpec {
  readonly name: string;
  /** The current type, where nodes of several types share the name. */
  readonly ofType?: string | undefined;
  /** All facts: others are removed. */
  readonly facts?: readonly string[];
  /** The new type. */
  readonly type?: string;
}

/** All or none: an unknown name refuses the batch. Returns the nodes with all their facts. */
export async function updateNodes(tx: Transaction, updates: readonly NodeUpdateSpec[]): Promise<NodeSpec[]> {
  for (const update of updates) checkUpdate(update);
  const nodes = await NodesByName.load(tx.rows, updates);
  const targets = mergeUpdatesByNode(updates, nodes);
  const found = await tx.rows.observationsOf(targets.map(({ node }) => node.id));
  const observations = groupEntries(found.map((observation) => [observation.node, observation]));
  for (const { update, node } of targets) checkNewFacts(update, observations.get(node.id) ?? []);
  const revisions = targets.map(({ update, node }) => revise(node, observations.get(node.id) ?? [], update));
  const changed = revisions.filter((revision) => !isSame(revision));
  if (changed.length > 0) {
    tx.announce('updateNodes', { updates: changed.map(({ update }) => update) });
    await writeRevisions(tx.rows, changed);
  }
  const kept = await storedNodes(tx.rows, changed);
  return revisions.map(({ type, node, texts }) => ({
    type,
    name: node.name,
    observations: [...texts, ...renderProps(kept.get(keyOf(node.name, type)) ?? node)],
  }));
}

/** Read again: the graph schema may have restored what an update left out. */
async function storedNodes(rows: Writer, changed: readonly Revision[]): Promise<ReadonlyMap<string, Node>> {
  const names = changed.filter(changesNode).map(({ node }) => node.name);
  const nodes = names.length === 0 ? [] : await rows.nodesNamed(names);
  return new Map(nodes.map((node) => [keyOf(node.name, node.type), node]));
}

function keyOf(name: string, type: string): string {
  return JSON.stringify([name, type]);
}

function checkUpdate({ name, type, facts = [] }: NodeUpdateSpec): void {
  if (type !== undefined) checkName(type, `The type of ${JSON.stringify(name)}`);
  for (const fact of facts) checkText(fact, `An entry of ${JSON.stringify(name)}`);
}

/** A blank text from a file may stay; new texts must not be blank. */
function checkNewFacts({ name, facts = [] }: NodeUpdateSpec, before: readonly Observation[]): void {
  const known = new Set(before.map(({ text }) => text));
  for (const fact of facts) if (!known.has(fact)) checkFact(fact, `An entry of ${JSON.stringify(name)}`);
}

/** The last update of a node wins, field by field. */
function mergeUpdatesByNode(
  updates: readonly NodeUpdateSpec[],
  nodes: NodesByName,
): readonly { readonly update: NodeUpdateSpec; readonly node: Node }[] {
  const wanted = new Map<NodeId, { update: NodeUpdateSpec; node: Node }>();
  for (const update of updates) {
    const node = nodes.require({ name: update.name, type: update.ofType });
    const earlier = wanted.get(node.id)?.update;
    wanted.set(node.id, { node, update: { ...earlier, ...definedFields(update) } });
  }
  return [...wanted.values()];
}

function definedFields({ name, facts, type }: NodeUpdateSpec): NodeUpdateSpec {
  return { name, ...(facts === undefined ? {} : { facts }), ...(type === undefined ? {} : { type }) };
}

interface Revision {
  readonly update: NodeUpdateSpec;
  readonly node: Node;
  readonly type: string;
  readonly props: Props;
  /** All of them. */
  readonly texts: readonly string[];
  readonly placed: ObservationEdits;
}

function revise(node: Node, before: readonly Observation[], update: NodeUpdateSpec): Revision {
  const facts = update.facts ?? [...before.map(({ text }) => text), ...renderProps(node)];
  const { props, rest } = separateProps(node, facts);
  return {
    update,
    node,
    type: update.type ?? node.type,
    props,
    texts: rest,
    placed: diffObservations(before, rest),
  };
}

function isSame(revision: Revision): boolean {
  const { removed, replaced, appended } = revision.placed;
  return !changesNode(revision) && removed.length + replaced.length + appended.length === 0;
}

function changesNode({ node, type, props }: Revision): boolean {
  return type !== node.type || Object.keys(props).length !== Object.keys(node.props).length;
}

/** A fact that reads like a property is that property; the others are observations. */
function separateProps(node: Node, facts: readonly string[]): { props: Props; rest: string[] } {
  const dropped = new Map(shownProps(node).map(({ key, text }) => [text, key]));
  const rest = facts.filter((fact) => !dropped.delete(fact));
  const gone = new Set(dropped.values());
  return { props: Object.fromEntries(Object.entries(node.props).filter(([key]) => !gone.has(key))), rest };
}

async function writeRevisions(rows: Writer, revisions: readonly Revision[]): Promise<void> {
  const ids = await resolveRenamedIds(
    rows,
    revisions.map(({ node, type }) => ({ node, type })),
  );
  await rows.putNodes(
    revisions.filter(changesNode).map(({ node, type, props }) => ({
      ...node,
      id: ids.get(node.id) ?? node.id,
      type,
      props,
      provenance: retainProvenance(node, props),
    })),
  );
  // A node that took another id has none of its observations yet.
  const staying = revisions.filter(({ node }) => !ids.has(node.id));
  await rows.removeObservations(staying.flatMap(({ placed }) => placed.removed));
  await rows.putObservations(
    revisions.flatMap(({ node, texts, placed }): ObservationDraft[] => {
      const id = ids.get(node.id);
      if (id !== undefined) return texts.map((text) => ({ node: id, text }));
      return [
        ...placed.replaced.map((draft) => ({ node: node.id, ...draft })),
        ...placed.appended.map((text) => ({ node: node.id, text })),
      ];
    }),
  );
}
