import { z } from 'zod';
import { addObservationsLenient } from '../../engine/write/add-observations-lenient.js';
import { batchInput, typeInput } from '../common-shapes.js';
import { adds } from '../tool-annotations.js';
import { defineListTool } from './workspace-list-tool.js';
import { content, ordinal } from './workspace-shapes.js';

export const workspaceAddObservations = defineListTool({
  name: 'add_observations',
  title: 'Add observations',
  description:
    'Append observations to existing nodes, each with the next ordinal of its node. ' +
    'A node that does not exist is reported with not_found; create it with create_entities. ' +
    'To correct a fact, use replace_observation instead.',
  input: z.object({
    observations: batchInput(
      z.object({
        entity_name: z.string().describe('The exact name of the node'),
        entity_type: typeInput(),
        contents: batchInput(content, 'Facts, one per string, in order'),
      }),
      'What to append to which node',
    ),
  }),
  item: z.object({
    entity_name: z.string(),
    added: z.array(z.object({ ordinal, content: z.string() })),
    not_found: z.boolean(),
  }),
  annotations: adds,
  action: 'change',
  async run({ graph }, { observations }) {
    const items = observations.map((item) => ({
      name: item.entity_name,
      type: item.entity_type,
      texts: item.contents,
    }));
    const appended = await graph.write((tx) => addObservationsLenient(tx, items));
    return {
      results: appended.map(({ name, added }) => ({
        entity_name: name,
        added: (added ?? []).map((one) => ({ ordinal: one.ordinal, content: one.text })),
        not_found: added === undefined,
      })),
    };
  },
});
