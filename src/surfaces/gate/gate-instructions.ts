/** Said to every client when it connects: short, since it is always in the agent's context. */
export const gateInstructions = `A knowledge graph behind a gate: what you write is checked against a schema and stamped with its origin.
Write things with write_node and their connections with write_relationship. Always give the source and how you found it (extraction_method); confidence is computed, never declared. Use the same merge_keys for the same thing every time.
A rejected write stored nothing: read message and details, fix the call and try again. If the schema cannot express a true fact, tell the user instead of forcing it into another label.`;
