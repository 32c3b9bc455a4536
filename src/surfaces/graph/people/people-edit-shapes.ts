import { z } from 'zod';
import type { EditOperation } from '../../../engine/write/edit/edit-operation.js';
import { limits } from '../../../model/limits.js';
import { commitId } from '../graph-shapes.js';

const name = z.string().max(limits.nameLength);
const text = z.string().max(limits.textLength);
const texts = z.array(text).max(limits.batchItems);
const tags = z.array(name).max(limits.batchItems).optional();
const props = z.record(z.string(), z.unknown()).optional();

const target = {
  name: name.describe('The name of the node'),
  type: name.optional().describe('Its type, if nodes of several types share the name'),
};
const ifCommit = commitId('Refuse the edit unless this commit was the last to touch the node').optional();
const ends = {
  from: name,
  from_type: name.optional(),
  to: name,
  to_type: name.optional(),
  type: name.describe('The type of the edge'),
  key: name.optional(),
};

/** Strict, since the members of a union are not searched for unknown arguments. */
const operationInput = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.enum(['add_node']),
    ...{ name, type: name, observations: texts.optional(), props, tags, summary: text.optional() },
  }),
  z.strictObject({
    op: z.enum(['update_node']),
    ...{ ...target, if_commit: ifCommit },
    set: z
      .strictObject({
        name: name.optional(),
        type: name.optional(),
        summary: text.nullable().optional(),
        tags,
        props,
      })
      .describe('What changes; null removes a property or the summary'),
  }),
  z.strictObject({ op: z.enum(['delete_node']), ...target, if_commit: ifCommit }),
  z.strictObject({ op: z.enum(['add_observations']), ...target, if_commit: ifCommit, texts }),
  z.strictObject({
    op: z.enum(['replace_observation']),
    ...{ ...target, if_commit: ifCommit, ordinal: z.int().min(0), text },
  }),
  z.strictObject({
    op: z.enum(['delete_observations']),
    ...{ ...target, if_commit: ifCommit, ordinals: z.array(z.int().min(0)).max(limits.batchItems) },
  }),
  z.strictObject({
    op: z.enum(['add_edge']),
    ...{ ...ends, weight: z.number().min(0).max(1).optional(), props },
  }),
  z.strictObject({ op: z.enum(['delete_edge']), ...ends }),
]);

export const operationsInput = z
  .array(operationInput)
  .min(1)
  .max(limits.batchItems)
  .describe('Done one after the other, all or none');

export function toEditOperation(given: z.output<typeof operationInput>): EditOperation {
  switch (given.op) {
    case 'add_node':
      return { op: given.op, node: given };
    case 'add_edge':
      return { op: given.op, edge: toEdgeSpec(given) };
    case 'delete_edge':
      return { op: given.op, edge: toEdgeSpec(given) };
    default: {
      const { name: called, type, if_commit } = given;
      return { ...given, target: { name: called, type, ifCommit: if_commit } };
    }
  }
}

interface GivenEnds {
  readonly from_type?: string | undefined;
  readonly to_type?: string | undefined;
}

function toEdgeSpec<E extends GivenEnds>({ from_type: fromType, to_type: toType, ...edge }: E) {
  return { ...edge, fromType, toType };
}
