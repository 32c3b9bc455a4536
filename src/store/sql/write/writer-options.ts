import type { RegistryAccess } from '../../graph-targets.js';
import type { SequenceAllocator } from './sequence-allocator.js';
import type { WriteSchema } from './write-schema.js';

/** What a write needs besides its branch. */
export interface WriterOptions {
  readonly now: number;
  readonly sequences: SequenceAllocator;
  readonly schema: WriteSchema;
  readonly registry?: RegistryAccess | undefined;
}
