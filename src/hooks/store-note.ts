import type { Graph } from '../engine/graph.js';
import { addObservationsStrict } from '../engine/write/add-observations-strict.js';
import { createEdgesLenient } from '../engine/write/create-edges-lenient.js';
import { createNodesLenient } from '../engine/write/create-nodes-lenient.js';
import type { Author } from '../model/commit.js';
import type { Provenance } from '../model/provenance.js';

/** Nobody has checked it. */
const origin: Provenance = { source: 'transcript', extraction_method: 'hook', confidence: 0.3 };

const sessionType = 'session';

interface SessionNode {
  readonly session: string;
  readonly texts: readonly string[];
  /** What the node of the project may be called, the best first. */
  readonly projects: readonly string[];
}

/** Adds what the node of the session does not have yet; nothing new makes no commit. */
export async function storeNote(graph: Graph, author: Author, note: SessionNode): Promise<void> {
  const node = { name: `Session ${note.session}`, type: sessionType };
  await graph.write(author, async (tx) => {
    await createNodesLenient(tx, [{ ...node, observations: [] }]);
    await addObservationsStrict(tx, [{ ...node, texts: note.texts, origin }]);
    const named = await tx.rows.nodesNamed(note.projects);
    const project = note.projects
      .map((name) => named.find((one) => one.name === name && !one.stub))
      .find((one) => one !== undefined);
    if (project === undefined) return;
    await createEdgesLenient(tx, [
      { from: node.name, fromType: sessionType, to: project.name, toType: project.type, type: 'worked_on' },
    ]);
  });
}
