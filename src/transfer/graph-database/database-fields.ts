/** The properties in which a graph database holds what is not a property in Trellis. */
export const exportFields = {
  name: '_name',
  summary: '_summary',
  tags: '_tags',
  observations: '_observations',
  weight: '_weight',
  key: '_key',
  stub: '_stub',
  /** JSON of the properties that the database cannot hold. */
  values: '_values',
} as const;

/** For nodes that exist only because an edge names them. */
export const stubLabel = 'Stub';
