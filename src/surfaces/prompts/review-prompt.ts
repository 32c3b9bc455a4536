import type { McpPrompt } from '../surface.js';

export const reviewPrompt: McpPrompt = {
  name: 'review',
  title: 'Review this conversation',
  description: 'Find what in this conversation is worth remembering, show it, and store what is agreed.',
  text: () => text,
};

const text = `Review this conversation for what is worth remembering:

1. List what will matter in another conversation: decisions with their reasons, preferences, how things work, what was tried and failed, who is responsible, what is still open.
2. Look up each item with search_nodes. Leave out what is already stored. If a stored fact has changed, propose to replace it.
3. Show me the list before you store anything: for each item the entity, the observation as you would write it, and its relations. Mark open items with "QUESTION: ", and suggest at most three to mark with "PINNED: " because every session must know them.
4. Store what I agree to, in as few calls as possible, and tell me what was stored.

Leave out passwords, keys and tokens, guesses, small talk, and what files and version control already say.`;
