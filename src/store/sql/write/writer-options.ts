import type { RegistryAccess } from '../../graph-targets.js';
import type { SequenceAllocator } from './sequence-allocator.js';
import type { WriteValidation } from './write-schema-state.js';

/** What a write needs besides its branch. */
export interface WriterOptions {
  readonly now: number;
  readonly sequences: SequenceAllocator;
  readonly validation: WriteValidation;
  readonly registry?: RegistryAccess | undefined;
}
