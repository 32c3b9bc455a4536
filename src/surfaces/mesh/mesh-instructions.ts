/** Said to every client when it connects: short, since it is always in the agent's context. */
export const meshInstructions = `A memory that lasts beyond this conversation: a graph of nodes, each with a name, a nodeType and metadata ("Key: Value" strings), and directed edges between them, weighted from 0 to 1.
Look first: search_nodes finds by any piece of text, open_nodes by exact name, and both include the neighbours. If a type of node has tools of its own (add_<type>, update_<type>, delete_<type>), use these instead of add_nodes: they check the fields and create the edges. A node must exist before an edge can lead to it.
Every call is all or nothing; if one fails, its suggestions say what to do. Store only what will matter later, and nothing secret such as passwords or keys.`;
