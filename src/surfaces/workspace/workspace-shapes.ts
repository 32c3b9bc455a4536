import { z } from 'zod';
import type { ListRequest } from '../../engine/read/list-nodes.js';
import type { EdgeSpec } from '../../engine/specs.js';
import type { Edge } from '../../model/edge.js';
import { limits } from '../../model/limits.js';
import type { Node } from '../../model/node.js';
import { endTypeInputs } from '../common-shapes.js';

/** A list of at most one batch. */
export function workspaceBatch<T extends z.ZodType>(item: T, what: string) {
  return z.array(item).max(limits.batchItems).describe(what);
}

/** A name or a type that is stored. */
export const storedName = z.string().min(1).max(limits.nameLength);
export const content = z.string().max(limits.textLength);
/** The name of something that may or may not be there. */
export const entityName = z.string().min(1).max(limits.nameLength).describe('The exact name of the entity');
/** Ordinals start at 1; 0 is where properties are shown. */
export const ordinal = z.int().min(0);
export const searchQueryInput = z.string().min(1).max(limits.queryLength);

export const workspacePageInput = {
  limit: z
    .int()
    .min(1)
    .max(limits.batchItems)
    .optional()
    .describe(
      `At most this many; default: all, up to ${limits.batchItems.toLocaleString('en-US')} at a time`,
    ),
  cursor: z.string().min(1).max(limits.nameLength).optional().describe('The nextCursor of the previous page'),
};

/** The page that was asked for. */
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

/** The types of both ends, where several types have an entity of their name. */
export const endTypeFields = { from_entity_type: endTypeInputs.from, to_entity_type: endTypeInputs.to };

/** A relation as answers about reading show it. */
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

export function toNodeHeader({ name, type, summary }: Node) {
  return { name, entity_type: type, summary };
}

/** A moment as answers show it. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
