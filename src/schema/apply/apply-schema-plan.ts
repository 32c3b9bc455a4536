import { resolveRenamedIds } from '../../engine/write/assign-node-ids.js';
import type { Edge } from '../../model/edge.js';
import { groupEntries } from '../../model/group-entries.js';
import type { Node } from '../../model/node.js';
import type { ObservationDraft } from '../../store/drafts.js';
import type { RowWriter } from '../../store/writer.js';
import type { SchemaPlan } from '../graph/plan/schema-step.js';
import { type RowMigration, rowMigrations } from './row-migrations.js';

const pageSize = 1_000;

/** Migrates the rows of a graph as a plan says, a page at a time. */
export async function applySchemaPlan(rows: RowWriter, plan: SchemaPlan): Promise<void> {
  for (const change of rowMigrations(plan)) {
    if (change.kind === 'node') await migrateNodes(rows, change);
    else await migrateEdges(rows, change);
  }
}

async function migrateNodes(rows: RowWriter, { from, to, revise }: RowMigration): Promise<void> {
  const types = [from];
  for (let page = await rows.nodes({ types, limit: pageSize }); page.length > 0; ) {
    if (to === null) await rows.removeNodes(page.map(({ id }) => id));
    else await putNodes(rows, page, to, revise);
    page = await rows.nodes({ types, limit: pageSize, after: page.at(-1)?.order });
  }
}

async function putNodes(
  rows: RowWriter,
  nodes: readonly Node[],
  type: string,
  revise: RowMigration['revise'],
): Promise<void> {
  const retyped = nodes.filter((node) => node.type !== type).map(({ id }) => id);
  const observations = await rows.observationsOf(retyped);
  const texts = groupEntries(observations.map(({ node, text }) => [node, text]));
  const others = await resolveRenamedIds(
    rows,
    nodes.map((node) => ({ node, type })),
  );
  const drafts = nodes.map((node) => ({ ...revise(node), id: others.get(node.id) ?? node.id, type }));
  await rows.putNodes(
    drafts.filter((draft, index) => draft.type !== nodes[index]?.type || draft.props !== nodes[index]?.props),
  );
  // A node that took another id has none of its observations yet.
  await rows.putObservations(
    [...others].flatMap(([old, node]): ObservationDraft[] =>
      (texts.get(old) ?? []).map((text) => ({ node, text })),
    ),
  );
}

async function migrateEdges(rows: RowWriter, { from, to, revise }: RowMigration): Promise<void> {
  const types = [from];
  for (let page = await rows.edges({ types, limit: pageSize }); page.length > 0; ) {
    if (to === null) await rows.removeEdges(page);
    else await putEdges(rows, page, to, revise);
    page = await rows.edges({ types, limit: pageSize, after: page.at(-1)?.order });
  }
}

async function putEdges(
  rows: RowWriter,
  edges: readonly Edge[],
  type: string,
  revise: RowMigration['revise'],
): Promise<void> {
  const drafts = edges.map((edge) => ({ ...revise(edge), type }));
  await rows.removeEdges(edges.filter((edge) => edge.type !== type));
  await rows.putEdges(
    drafts.filter((draft, index) => draft.type !== edges[index]?.type || draft.props !== edges[index]?.props),
  );
}
