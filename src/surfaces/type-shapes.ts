import { z } from 'zod';
import { limits } from '../model/limits.js';

/** The type that tells a node from others of its name. */
export const typeInput = (what = 'The type of the entity, if entities of several types share this name') =>
  z.string().min(1).max(limits.nameLength).optional().describe(what);

/** The same for the two ends of an edge. */
export const endTypeInputs = {
  from: typeInput('The type of the entity where it starts, if entities of several types share this name'),
  to: typeInput('The type of the entity where it ends, if entities of several types share this name'),
};
