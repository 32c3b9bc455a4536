import { z } from 'zod';
import { createNodesOnConflict } from '../../engine/write/create-nodes-on-conflict.js';
import { workspaceLimits } from '../../model/limits.js';
import { listNames } from '../../model/quoting.js';
import { batchInput, pageExtras, storedName } from '../common-shapes.js';
import { adds } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { content, isoTime, time } from './workspace-shapes.js';

export const workspaceCreateEntities = defineListTool({
  name: 'create_entities',
  title: 'Create entities',
  description:
    'Create one or more nodes, each with its first observations, summary and tags. ' +
    'A name that already exists rejects the whole call, unless on_conflict says otherwise. ' +
    'To add facts to existing nodes, use add_observations.',
  input: z.object({
    entities: batchInput(
      z.object({
        name: storedName.describe('Unique within the workspace, case-sensitive'),
        entity_type: storedName.describe('What kind of thing it is, such as person or project'),
        observations: batchInput(content, 'Facts, one per string, in order').default([]),
        summary: content.nullish().describe('What the node is, in a few sentences'),
        tags: z.array(storedName).max(workspaceLimits.tags).default([]).describe('Words to group nodes by'),
      }),
      'The nodes to create',
    ),
    on_conflict: z
      .enum(['append', 'skip'])
      .optional()
      .describe(
        'What to do if a name already exists: append to the node, or skip it; default: reject the call',
      ),
  }),
  item: z.object({ name: z.string(), entity_type: z.string(), created_at: time }),
  annotations: adds,
  action: 'change',
  async run({ graph, may }, { entities, on_conflict }) {
    const specs = entities.map(({ entity_type: type, summary = null, ...rest }) => ({
      ...rest,
      type,
      summary,
    }));
    const { nodes, appended, skipped } = await graph.write((tx) =>
      createNodesOnConflict(tx, specs, on_conflict ?? 'refuse'),
    );
    const warnings = [
      ...(appended.length > 0
        ? [`Already existed; observations were appended: ${listNames(appended)}.`]
        : []),
      ...(skipped.length > 0 ? [`Already existed; left unchanged: ${listNames(skipped)}.`] : []),
    ];
    // The type and time of nodes that existed before are not for callers without read.
    const existed = new Set(may([{ action: 'read' }]) ? [] : [...appended, ...skipped]);
    const shown = nodes.filter(({ name }) => !existed.has(name));
    return {
      results: shown.map(({ name, type, createdAt }) => ({
        name,
        entity_type: type,
        created_at: isoTime(createdAt),
      })),
      ...pageExtras({ warnings }),
    };
  },
});
