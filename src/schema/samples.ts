import { fileURLToPath } from 'node:url';

/** The sets of schema files that come with the package. */
export const sampleSets = ['rpg', 'work'] as const;

export type SampleSet = (typeof sampleSets)[number];

/** The folder that holds a set. */
export function sampleFolder(set: SampleSet): string {
  return fileURLToPath(new URL(`../../schemas/${set}`, import.meta.url));
}
