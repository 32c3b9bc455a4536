/** What an agent is told about the surface as a whole. */
export const graphInstructions =
  'A knowledge graph with branches and history. Every write is a commit on a branch. ' +
  'To try something, or to have it reviewed, make a branch with branches_create, write there, and merge it with branches_merge; ' +
  'snapshot says what a branch holds, commits_list and commits_get who changed what. ' +
  'schema_get says what the graph may hold, if it has a schema; ingest loads many nodes and edges at once.';
