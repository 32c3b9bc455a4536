import type { McpPrompt } from '../surface.js';

export const memoryTidyPrompt: McpPrompt = {
  name: 'tidy',
  title: 'Tidy the memory',
  description: 'Find duplicates, contradictions and loose ends in the memory, and clean up with consent.',
  text: () => text,
};

const text = `Tidy the memory with me, a part at a time:

1. Read it with read_graph and a limit of 50, page by page, or search_nodes for the part I name.
2. Note what needs care: two entities that mean the same, observations that repeat or contradict each other, facts that are out of date, entities without observations or relations, questions (observations that begin with "QUESTION: ") that have been answered, and pinned facts that no longer deserve it.
3. Show me a short plan: what you would merge, rewrite, connect and delete, and why. Wait for my consent.
4. To merge two entities, add what is missing to the one that stays with add_observations and create_relations, then delete the other with delete_entities. Delete single observations and relations with delete_observations and delete_relations.
5. Report what you changed. Leave alone what you are not sure about.`;
