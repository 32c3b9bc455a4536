import type { McpPrompt } from '../surface.js';

/** Advice for the whole conversation, for clients that let their user pick a prompt. */
export const rememberPrompt: McpPrompt = {
  name: 'remember',
  title: 'Use the memory',
  description: 'How to recall and store what lasts, throughout a conversation.',
  text: () => text,
};

const text = `Use the memory tools throughout this conversation:

1. Know who you talk to. Assume that you are talking to the user this memory belongs to. If the memory does not say who that is, find out in passing and store it.

2. Recall first. Before your first answer, look up the user and the subject with search_nodes or open_nodes, and let what you find shape the answer. Refer to it as your memory. Search again when the subject changes.

3. Listen for what lasts. While you talk, watch for facts of these kinds:
   - identity: age, place, work, education, languages;
   - behaviour: habits, interests, how they like to work;
   - preferences: tone, tools, formats, likes and dislikes;
   - goals: plans, targets, hopes, deadlines;
   - relationships: people, teams and organisations they deal with, up to a few steps away.

4. Store what is new. At the end of each exchange:
   - create entities for people, organisations, projects and events that come up again;
   - connect them with relations in active voice, such as "works_at";
   - write each fact as one observation that can be understood by itself;
   - delete observations that are no longer true.

Do not store passwords, keys or anything the user asks you to forget.`;
