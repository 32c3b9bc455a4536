/** Who makes vectors, as the history tells it. */
export const embedAuthor = { actor: 'trellis', tool: 'embed' } as const;
