/** What a gate takes by a word of its own; anything else is a path. */
export const registryKeywords = ['graph', 'schema'] as const;
export const formulaKeywords = ['default', 'flat', 'admiralty', 'stix'] as const;
