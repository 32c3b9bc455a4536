/** What a gate takes by a word of its own; anything else is a path. */
export const registryWords = ['graph', 'schema'] as const;
export const formulaWords = ['default', 'flat', 'admiralty', 'stix'] as const;
