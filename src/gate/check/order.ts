import { allowedEnds } from './allowed-ends.js';
import type { NodeClaim, RelationshipClaim } from './claim.js';
import { extractionMethod } from './extraction-method.js';
import { keysGiven } from './keys-given.js';
import { knownNames } from './known-names.js';
import { propertyTypes } from './property-types.js';
import { protectedFields } from './protected-fields.js';
import { requiredProperties } from './required-properties.js';

/** One thing a write must get right; throws `Rejected` with every failure of its kind. */
export type Check<C> = (claim: C) => void;

/** What `write_node` is asked, in this order, once its arguments are read. Then follow the formula and the write. */
export const nodeChecks: readonly Check<NodeClaim>[] = [
  extractionMethod,
  knownNames,
  protectedFields,
  requiredProperties,
  keysGiven,
  propertyTypes,
];

/** What `write_relationship` is asked. Then follow, in the transaction, the endpoints, the formula and the write. */
export const relationshipChecks: readonly Check<RelationshipClaim>[] = [
  extractionMethod,
  knownNames,
  protectedFields,
  requiredProperties,
  keysGiven,
  propertyTypes,
  allowedEnds,
];
