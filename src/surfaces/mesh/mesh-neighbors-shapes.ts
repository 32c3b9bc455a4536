import { z } from 'zod';

export const neighbors = z
  .boolean()
  .optional()
  .describe('Whether to include the neighbours of the matches; default: true');

export const limitWithNeighbors = 'At most this many matches, and as many neighbours; default: all';
