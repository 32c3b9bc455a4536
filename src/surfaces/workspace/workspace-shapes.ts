import { z } from 'zod';
import type { ListPage, ListRequest } from '../../engine/read/list-nodes.js';
import type { ModifiedNode } from '../../engine/read/recently-modified.js';
import type { EdgeSpec } from '../../engine/specs.js';
import type { Edge } from '../../model/edge.js';
import { limits } from '../../model/limits.js';
import type { Node } from '../../model/node.js';
import type { Reader } from '../../store/reader.js';
import { cursorInput, endTypeInputs, limitInput, storedName } from '../common-shapes.js';

export const content = z.string().max(limits.textLength);
export const entityName = storedName.describe('The exact name of the entity');
/** Ordinals start at 1; properties are shown with 0. */
export const ordinal = z.int().min(0);
export const searchQueryInput = z.string().min(1).max(limits.queryLength);

export const workspacePageInput = {
  limit: limitInput(
    `At most this many; default: all, up to ${limits.batchItems.toLocaleString('en-US')} at a time`,
  ),
  cursor: cursorInput,
};

export function toListRequest(
  { limit, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  byDefault: number = limits.batchItems,
): ListRequest {
  return { limit: limit ?? byDefault, cursor };
}

export const workspaceRelationInput = z.object({
  from_entity: storedName.describe('The entity where the relation starts'),
  to_entity: storedName.describe('The entity where the relation ends'),
  relation_type: storedName.describe('What connects them, in active voice, such as works_at'),
});

export type WorkspaceRelation = z.output<typeof workspaceRelationInput>;

export const endTypeFields = { from_entity_type: endTypeInputs.from, to_entity_type: endTypeInputs.to };

export const workspaceRelationOutput = z.object({
  from: z.string(),
  to: z.string(),
  relation_type: z.string(),
});

export const time = z.string().describe('ISO 8601, UTC');
export const summary = z.string().nullable();
export const tags = z.array(z.string());
export const warnings = z.array(z.string()).optional();

export function workspaceEdgeSpec(relation: WorkspaceRelation & EndTypes): EdgeSpec {
  const { from_entity: from, to_entity: to, relation_type: type } = relation;
  return { from, fromType: relation.from_entity_type, to, toType: relation.to_entity_type, type };
}

interface EndTypes {
  readonly from_entity_type?: string | undefined;
  readonly to_entity_type?: string | undefined;
}

export function toWorkspaceRelation({ from, to, type }: EdgeSpec): WorkspaceRelation {
  return { from_entity: from, to_entity: to, relation_type: type };
}

export function toRelationOutput({ fromName, toName, type }: Edge): z.output<typeof workspaceRelationOutput> {
  return { from: fromName, to: toName, relation_type: type };
}

/** Adds to each node when it last changed. */
export async function withUpdatedAt(
  reader: Reader,
  { items, ...next }: ListPage<Node>,
): Promise<ListPage<ModifiedNode>> {
  const updated = await reader.updatedAt(items.map(({ id }) => id));
  return {
    items: items.map((node) => ({ node, updatedAt: updated.get(node.id) ?? node.createdAt })),
    ...next,
  };
}

export function toModifiedNode({ node, updatedAt }: ModifiedNode) {
  return { ...toNodeHeader(node), updated_at: isoTime(updatedAt) };
}

export function toNodeHeader({ name, type, summary }: Node) {
  return { name, entity_type: type, summary };
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
