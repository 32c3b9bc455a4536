import { z } from 'zod';
import { setTags as set } from '../../engine/write/set-tags.js';
import { workspaceLimits } from '../../model/limits.js';
import { storedName, typeInput } from '../common-shapes.js';
import { defineTool } from '../tool.js';
import { replaces } from '../tool-annotations.js';
import { entityName, tags as tagList } from './workspace-shapes.js';

export const workspaceSetTags = defineTool({
  name: 'set_tags',
  title: 'Set tags',
  description: 'Replace all tags of a node. An empty list removes them.',
  input: z.object({
    name: entityName,
    entity_type: typeInput(),
    tags: z.array(storedName).max(workspaceLimits.tags).describe('The new tags; all others are removed'),
  }),
  output: z.object({ name: z.string(), tags: tagList }),
  annotations: replaces,
  action: 'change',
  async run({ graph }, { name, entity_type: type, tags }) {
    return { name, tags: [...(await graph.write((tx) => set(tx, { name, type }, tags)))] };
  },
});
