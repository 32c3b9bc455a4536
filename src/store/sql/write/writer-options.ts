import type { RegistryAccess } from '../../targets.js';
import type { Numbers } from './numbers.js';
import type { Guarding } from './write-schema.js';

/** What a write needs besides its branch. */
export interface WriterOptions {
  readonly now: number;
  readonly numbers: Numbers;
  readonly guarding: Guarding;
  readonly registry?: RegistryAccess | undefined;
}
