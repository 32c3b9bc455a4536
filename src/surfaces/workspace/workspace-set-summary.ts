import { z } from 'zod';
import { setSummary as set } from '../../engine/write/set-summary.js';
import { typeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { replaces } from '../tool-annotations.js';
import { content, entityName, isoTime, time } from './workspace-shapes.js';

export const workspaceSetSummary = defineTool({
  name: 'set_summary',
  title: 'Set summary',
  description:
    'Set or replace the summary of a node: what it is and what matters about it, in a few sentences. ' +
    'Its observations are not changed. Set the same text again to confirm that it is still valid.',
  input: z.object({
    name: entityName,
    entity_type: typeInput(),
    summary: content.describe('The new summary'),
  }),
  output: z.object({ name: z.string(), summary: z.string(), updated_at: time }),
  annotations: replaces,
  action: 'change',
  async run({ graph }, { name, entity_type: type, summary }) {
    const updatedAt = await graph.write((tx) => set(tx, { name, type }, summary));
    return { name, summary, updated_at: isoTime(updatedAt) };
  },
});
