/** A tree without where its parts stood, which is what printing loses. */
export function withoutPlaces(tree: unknown): unknown {
  return JSON.parse(JSON.stringify(tree, (key, value: unknown) => (key === 'at' ? undefined : value)));
}
