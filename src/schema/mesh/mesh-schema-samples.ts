import { fileURLToPath } from 'node:url';
import { packageFile } from '../../file/package-files.js';

/** The sets of schema files that come with the package. */
export const sampleSets = ['rpg', 'work'] as const;

export type SampleSet = (typeof sampleSets)[number];

/** The folder that holds a set. */
export function sampleFolder(set: SampleSet): string {
  return fileURLToPath(packageFile(`schemas/${set}`));
}
