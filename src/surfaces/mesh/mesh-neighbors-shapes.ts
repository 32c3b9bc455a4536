import { z } from 'zod';

export const neighbors = z
  .boolean()
  .optional()
  .describe('Whether to bring along the nodes next to those found; default: true');

export const limitWithNeighbors = 'At most this many matches, and as many neighbours; default: all';
