export const embedAuthor = { actor: 'trellis', tool: 'embed' } as const;
