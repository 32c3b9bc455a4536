/** Said to every client when it connects: short, since it is always in the agent's context. */
export const memoryInstructions = `A memory that lasts beyond this conversation: a graph of entities (people, projects, places, ideas), observations on them (one fact per string) and directed relations between them.
Before you answer, look up what is known about the user and the subject with search_nodes or open_nodes. When you learn something lasting, store it: create_entities for what is new, add_observations for new facts about what is known, create_relations for connections. Delete what turns out to be wrong.
Store only what will matter later, and nothing secret such as passwords or keys.`;
