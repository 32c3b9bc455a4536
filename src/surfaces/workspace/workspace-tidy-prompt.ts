import type { McpPrompt } from '../surface.js';

export const workspaceTidyPrompt: McpPrompt = {
  name: 'tidy',
  title: 'Tidy the workspace',
  description: 'Work through the consolidation report, and clean up with consent.',
  text: () => text,
};

const text = `Tidy the workspace with me, a part at a time:

1. Call get_consolidation_report. It lists what needs a summary, what may be connected, and what may mean the same.
2. Open what it names with open_nodes before you judge it. Also look at get_orphans, and at questions (observations that begin with "QUESTION: ") that have been answered.
3. Show me a short plan: which summaries to set, which relations to create, what to merge, correct and delete, and why. Wait for my consent.
4. Use set_summary for summaries, create_relations for connections, and replace_observation for corrections. To merge two entities, add what is missing to the one that stays, then delete the other with delete_entities.
5. Call get_pending_consolidation and report what you changed and what is left. Leave alone what you are not sure about.`;
