import { fileURLToPath } from 'node:url';
import { packageFile } from '../../file/package-files.js';

/** Sets of schema files in the package. */
export const sampleSets = ['rpg', 'work'] as const;

export type SampleSet = (typeof sampleSets)[number];

export function sampleFolder(set: SampleSet): string {
  return fileURLToPath(packageFile(`schemas/${set}`));
}
