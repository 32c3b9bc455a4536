/** A way of looking at a text: what to attend to is told to models that can be told. */
export interface Perspective {
  readonly name: string;
  readonly instruction: string;
}

/** The perspectives that every workspace has unless its settings say otherwise. */
export const defaultPerspectives: readonly Perspective[] = [
  { name: 'general', instruction: 'What this is about' },
  { name: 'technical', instruction: 'The technologies, tools, methods and problems this mentions' },
  { name: 'relational', instruction: 'Who and what is connected here, and how' },
  { name: 'temporal', instruction: 'When this happened, in which order, and what changed' },
  { name: 'project', instruction: 'The goals, decisions, plans and state of work this tells of' },
];

/** The perspectives of a workspace: its own, which replace the shared ones of the same name, and those. */
export function perspectivesOf(
  own: readonly Perspective[],
  shared: readonly Perspective[] = defaultPerspectives,
): Perspective[] {
  const named = new Map([...shared, ...own].map((perspective) => [perspective.name, perspective]));
  return [...named.values()];
}
