import { Graph, type Transaction } from '../../src/engine/graph.js';
import { openNodes } from '../../src/engine/read/open-nodes.js';
import { addObservationsStrict } from '../../src/engine/write/add-observations-strict.js';
import { createEdgesWithStubs } from '../../src/engine/write/create-edges-with-stubs.js';
import { createNodesLenient } from '../../src/engine/write/create-nodes-lenient.js';
import { deleteEdges } from '../../src/engine/write/delete-edges.js';
import { deleteNodes } from '../../src/engine/write/delete-nodes.js';
import { deleteObservations } from '../../src/engine/write/delete-observations.js';
import { NodesByName } from '../../src/engine/write/nodes-by-name.js';
import { updateEdges } from '../../src/engine/write/update-edges.js';
import { updateNodes } from '../../src/engine/write/update-nodes.js';
import { TrellisError } from '../../src/model/error.js';
import { defaultGraph } from '../../src/model/graph-record.js';
import type { Node } from '../../src/model/node.js';
import type { Store } from '../../src/store/store-contract.js';
import type { Writer } from '../../src/store/writer.js';
import type { Call, Step } from './log.js';

const author = { actor: 'differential', tool: 'replay' };
const stamp = { source: 'the log', confidence: 0.5, last_updated: '2026-01-01' };
const provenance = { ...stamp, merge_keys: ['year'], properties: { year: stamp } };

class Undone extends Error {}

/** Does a step; answers what each call answered, or why it was refused. */
export async function perform(store: Store, step: Step): Promise<unknown> {
  if (step.kind === 'fork') {
    const { name } = await store.createBranch(defaultGraph, step.name, step.from);
    return name;
  }
  let answers: unknown[] = [];
  const graph = new Graph(store, defaultGraph, { branch: step.branch });
  try {
    await graph.write(author, async (tx) => {
      answers = [];
      for (const call of step.calls) answers.push(await answerOf(tx, call));
      if (step.fails) throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return answers;
}

async function answerOf(tx: Transaction, call: Call): Promise<unknown> {
  try {
    return (await operate(tx, call)) ?? 'done';
  } catch (error) {
    if (error instanceof TrellisError && error.code !== 'INTERNAL') return `${error.code}: ${error.message}`;
    throw error;
  }
}

async function operate(tx: Transaction, call: Call): Promise<unknown> {
  switch (call.kind) {
    case 'create':
      return createNodesLenient(tx, call.nodes);
    case 'observe':
      return addObservationsStrict(tx, [call]);
    case 'relate':
      return createEdgesWithStubs(tx, call.edges);
    case 'delete':
      return deleteNodes(tx, call.names);
    case 'forget': {
      const text = (await observationsOf(tx.rows, call.name))[call.nth]?.text ?? 'nothing';
      return deleteObservations(tx, [{ name: call.name, texts: [text] }]);
    }
    case 'replace':
      return replace(tx.rows, call);
    case 'unrelate': {
      const edge = (await edgesOf(tx.rows, call.name))[call.nth];
      if (edge === undefined) return 'no edge';
      return deleteEdges(tx, [{ from: edge.fromName, to: edge.toName, type: edge.type }]);
    }
    case 'weigh':
      return weigh(tx.rows, call);
    case 'describe': {
      const { summary, tags, props } = call;
      return version(tx.rows, call.name, (node) => ({
        ...{ ...node, summary, tags, props, provenance },
        summaryUpdatedAt: tx.rows.now,
      }));
    }
    case 'update':
      return update(tx, call);
    case 'move':
      return move(tx, call);
    case 'rewrite':
      return version(tx.rows, call.name, (node) => node);
    case 'retype':
      return retype(tx.rows, call);
    case 'twin':
      return twin(tx.rows, call);
    case 'vanish':
      await createNodesLenient(tx, [{ name: call.name, type: 'ghost', observations: [call.text] }]);
      return deleteNodes(tx, [call.name]);
  }
}

async function update(tx: Transaction, { name, type, turn, texts }: Call & { kind: 'update' }) {
  const [node] = (await openNodes(tx.rows, [name])).nodes;
  const facts = node?.facts ?? [];
  return updateNodes(tx, [{ name, type, facts: [...facts.slice(turn), ...texts, ...facts.slice(0, turn)] }]);
}

async function move(tx: Transaction, { name, nth, to, weight }: Call & { kind: 'move' }): Promise<unknown> {
  const edge = (await edgesOf(tx.rows, name))[nth];
  if (edge === undefined) return 'no edge';
  return updateEdges(tx, [
    {
      ...{ from: edge.fromName, to: edge.toName, type: edge.type, weight },
      ...{ newTo: to.to, newType: to.type },
    },
  ]);
}

async function replace(rows: Writer, { name, nth, text }: Call & { kind: 'replace' }): Promise<unknown> {
  const observation = (await observationsOf(rows, name))[nth];
  if (observation === undefined) return 'no observation';
  const [put] = await rows.putObservations([{ ...observation, text, provenance }]);
  return put?.ordinal;
}

async function weigh(rows: Writer, call: Call & { kind: 'weigh' }): Promise<unknown> {
  const edge = (await edgesOf(rows, call.name))[call.nth];
  if (edge === undefined) return 'no edge';
  const { weight, key } = call;
  // Under another key it is another edge, beside the first.
  const { order, ...another } = edge;
  const draft = { weight, key, props: { weighed: weight }, provenance };
  await rows.putEdges([edge.key === key ? { ...another, order, ...draft } : { ...another, ...draft }]);
  return rows.changes;
}

async function version(rows: Writer, name: string, change: (node: Node) => Node): Promise<unknown> {
  const node = (await NodesByName.load(rows, [{ name }])).real({ name });
  if (node === undefined) return 'no node';
  await rows.putNodes([change(node)]);
  return rows.changes;
}

/** A new type is a further identity of the same node, unless it means another one already. */
async function retype(rows: Writer, { name, type }: Call & { kind: 'retype' }): Promise<unknown> {
  const node = (await NodesByName.load(rows, [{ name }])).real({ name });
  if (node === undefined) return 'no node';
  const known = (await rows.identitiesNamed([name])).find((identity) => identity.type === type);
  if (known !== undefined && known.node !== node.id) return 'another node';
  if (known === undefined) await rows.addIdentities([{ type, name, node: node.id }]);
  await rows.putNodes([{ ...node, type }]);
  return 'retyped';
}

/** A second node of the same name, as surfaces that tell nodes apart by type make them. */
async function twin(rows: Writer, { name, type }: Call & { kind: 'twin' }): Promise<unknown> {
  const known = (await rows.identitiesNamed([name])).some((identity) => identity.type === type);
  if (known) return 'known';
  const [identity] = await rows.addIdentities([{ type, name, observations: 1 }]);
  if (identity === undefined) return 'no identity';
  await rows.putNodes([{ id: identity.node, type, name }]);
  const [observation] = await rows.putObservations([{ node: identity.node, text: 'a twin' }]);
  return observation?.ordinal;
}

async function observationsOf(rows: Writer, name: string) {
  const nodes = (await rows.nodesNamed([name])).filter((node) => !node.stub);
  const [first] = nodes;
  return first === undefined ? [] : rows.observationsOf([first.id]);
}

async function edgesOf(rows: Writer, name: string) {
  return rows.edgesOf((await rows.nodesNamed([name])).map(({ id }) => id));
}
