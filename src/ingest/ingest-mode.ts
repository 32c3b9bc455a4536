/** What becomes of what is there already. */
export const ingestModes = ['merge', 'append', 'overwrite'] as const;

export type IngestMode = (typeof ingestModes)[number];
