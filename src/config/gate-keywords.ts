export const registryKeywords = ['graph', 'schema'] as const;
export const formulaKeywords = ['default', 'flat', 'admiralty', 'stix'] as const;
