import { z } from 'zod';

/** A node with very many neighbours can only be read without them. */
export const neighbors = z
  .boolean()
  .optional()
  .describe('Whether to bring along the nodes next to those found; default: true');
