export const ingestModes = ['merge', 'append', 'overwrite'] as const;

export type IngestMode = (typeof ingestModes)[number];
