/** What each action of a policy allows. */
export const actionTexts: Readonly<Record<string, string>> = {
  read: 'reading and searching',
  change: 'writing',
  gate_write: 'writing through the gate',
  invoke_query: 'running stored queries',
  export: 'exporting the graph',
  schema_apply: 'changing the schema and the gate registry',
  branch_create: 'creating branches',
  branch_delete: 'deleting branches',
  branch_merge: 'merging branches',
  graph_list: 'listing graphs',
  graph_admin: 'creating, renaming and deleting graphs',
};
