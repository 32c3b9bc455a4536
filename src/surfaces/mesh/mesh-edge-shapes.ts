import { z } from 'zod';
import { endTypeInputs } from '../type-shapes.js';
import { meshName } from './mesh-shapes.js';

/** What names an edge, where it must be or become one. */
export const edgeInput = {
  from: meshName.describe('The name of the node where the edge starts'),
  to: meshName.describe('The name of the node where the edge ends'),
  edgeType: meshName.describe('The type of the edge, in active voice, such as located_in'),
  fromEntityType: endTypeInputs.from,
  toEntityType: endTypeInputs.to,
};

/** The bounds are said to clients and kept by the engine, which words the refusal. */
export const advertisedWeight = (what: string) => z.number().min(0).max(1).optional().describe(what);
export const acceptedWeight = z.number().optional();
