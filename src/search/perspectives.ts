/** What a vector should attend to, for models that accept instructions. */
export interface Perspective {
  readonly name: string;
  readonly instruction: string;
}

export const defaultPerspectives: readonly Perspective[] = [
  { name: 'general', instruction: 'What this is about' },
  { name: 'technical', instruction: 'The technologies, tools, methods and problems this mentions' },
  { name: 'relational', instruction: 'Who and what is connected here, and how' },
  { name: 'temporal', instruction: 'When this happened, in which order, and what changed' },
  { name: 'project', instruction: 'The goals, decisions, plans and state of work this tells of' },
];

/** A workspace's own perspectives, which replace shared ones of the same name, and the other shared ones. */
export function perspectivesOf(
  own: readonly Perspective[],
  shared: readonly Perspective[] = defaultPerspectives,
): Perspective[] {
  const named = new Map([...shared, ...own].map((perspective) => [perspective.name, perspective]));
  return [...named.values()];
}
