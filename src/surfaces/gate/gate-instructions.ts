/** Said to every client when it connects: short, since it is always in the agent's context. */
export const gateInstructions = `A knowledge graph behind a gate: what you write is checked against a schema and stamped with where it came from.
Write things with write_node and how they belong together with write_relationship. Always say the source and how you found it (extraction_method); confidence is computed, never declared. Use the same merge_keys for the same thing every time.
A rejected write stored nothing: read message and details, mend the call and try again. If the schema has no place for a true fact, say so to the user instead of bending it into another label.`;
