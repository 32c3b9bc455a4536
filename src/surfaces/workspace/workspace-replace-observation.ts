import { z } from 'zod';
import { replaceObservation as replace } from '../../engine/write/replace-observation.js';
import { typeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { replaces } from '../tool-annotations.js';
import { content, entityName, ordinal } from './workspace-shapes.js';

export const workspaceReplaceObservation = defineTool({
  name: 'replace_observation',
  title: 'Replace observation',
  description:
    'Replace the text of one observation; its ordinal stays the same. ' +
    'Use it if a fact has changed or was wrong. open_nodes shows the ordinals.',
  input: z.object({
    entity_name: entityName,
    entity_type: typeInput(),
    ordinal: ordinal.describe('The ordinal of the observation'),
    new_content: content.describe('The new text'),
  }),
  output: z.object({
    entity_name: z.string(),
    ordinal,
    old_content: z.string().optional().describe('Only if you have read permission'),
    new_content: z.string(),
  }),
  annotations: replaces,
  action: 'change',
  async run({ graph, may }, { entity_name, entity_type, ordinal, new_content }) {
    const node = { name: entity_name, type: entity_type };
    const old = await graph.write((tx) => replace(tx, node, ordinal, new_content));
    const shown = may([{ action: 'read' }]) ? { old_content: old } : {};
    return { entity_name, ordinal, ...shown, new_content };
  },
});
