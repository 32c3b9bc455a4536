/** A tree without the places where its parts stand. */
export function withoutPlaces(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutPlaces);
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(
    Object.entries(tree)
      .filter(([key]) => key !== 'at')
      .map(([key, member]) => [key, withoutPlaces(member)]),
  );
}
