/** What an agent is told about the surface as a whole. */
export const graphInstructions =
  'A knowledge graph with branches and history. Every write is a commit on a branch. ' +
  'To try something or have it reviewed, create a branch with branches_create, write to it, and merge it with branches_merge. ' +
  'snapshot shows what a branch holds; commits_list and commits_get show who changed what. ' +
  'schema_get shows what the graph may hold, if it has a schema; ingest loads many nodes and edges at once.';
