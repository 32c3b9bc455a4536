import { Graph, type Transaction } from '../../engine/graph.js';
import { addObservationsStrict } from '../../engine/write/add-observations-strict.js';
import { createEdgesStrict } from '../../engine/write/create-edges-strict.js';
import { createNodesStrict } from '../../engine/write/create-nodes-strict.js';
import { replaceObservation } from '../../engine/write/replace-observation.js';
import { setSummary } from '../../engine/write/set-summary.js';
import { EngineTarget } from '../../gate/engine-target.js';
import { Gate } from '../../gate/gate.js';
import { addToGateRegistry } from '../../gate/registry/edit-gate-registry.js';
import { GraphSource } from '../../gate/registry/graph-source.js';
import type { Store } from '../../store/store-contract.js';
import { type DemoWrite, demoClaims, demoLabels, demoWrites, reviewBranch } from './demo-memory.js';

const hour = 3_600_000;

/** Makes the graph and fills it; the times of its commits are in the past two weeks. */
export async function loadDemo(store: Store, graph: string, now: number): Promise<void> {
  await store.createGraph(graph);
  let isForked = false;
  for (const write of demoWrites) {
    if (write.branch !== undefined && !isForked) {
      await store.createBranch(graph, reviewBranch);
      isForked = true;
    }
    const { actor, tool, client, message, branch, hoursAgo } = write;
    const author = { actor, tool, client, ...(message !== undefined && { message }) };
    await store.write({ graph, branch }, author, (rows) => apply({ rows, announce: () => {} }, write), {
      time: now - hoursAgo * hour,
    });
  }
  await writeThroughGate(store, graph);
}

async function apply(tx: Transaction, write: DemoWrite): Promise<void> {
  const { nodes = [], observations = [], corrections = [], summaries = [], edges = [] } = write;
  await createNodesStrict(
    tx,
    nodes.map(([name, type, texts, tags]) => ({ name, type, observations: texts, ...(tags && { tags }) })),
  );
  await addObservationsStrict(
    tx,
    observations.map(([name, texts]) => ({ name, texts })),
  );
  for (const [name, ordinal, text] of corrections) await replaceObservation(tx, { name }, ordinal, text);
  for (const [name, text] of summaries) await setSummary(tx, { name }, text);
  await createEdgesStrict(
    tx,
    edges.map(([from, type, to]) => ({ from, type, to })),
  );
}

async function writeThroughGate(store: Store, name: string): Promise<void> {
  const graph = new Graph(store, name);
  const author = { actor: 'contract-reader', client: 'document-agent/0.2.0', tool: 'write_node' };
  await graph.write({ actor: 'ada', tool: 'gate_schema_add' }, async (tx) => {
    for (const label of demoLabels)
      await addToGateRegistry(tx, name, { ...label, kind: 'node', absorbs: [], from: [], to: [] });
  });
  const gate = await Gate.open({
    source: new GraphSource(graph),
    unknownLabels: 'reject',
    keep: (rejection) => store.keepRejection(name, rejection),
  });
  const target = new EngineTarget({ commit: (work) => graph.commit(author, work) });
  for (const claim of demoClaims) await gate.writeNode(target, author, claim);
}
