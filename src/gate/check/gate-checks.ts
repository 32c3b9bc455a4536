import { checkEndpointLabels } from './check-endpoint-labels.js';
import { checkExtractionMethod } from './check-extraction-method.js';
import { checkMergeKeys } from './check-merge-keys.js';
import { checkPropertyTypes } from './check-property-types.js';
import { checkProtectedFields } from './check-protected-fields.js';
import { checkRegisteredNames } from './check-registered-names.js';
import { checkRequiredProperties } from './check-required-properties.js';
import type { NodeClaim, RelationshipClaim } from './claim.js';

/** Throws `RejectedError` with every failure of its kind. */
export type GateCheck<C> = (claim: C) => void;

/** In this order; then the formula and the write. */
export const nodeChecks: readonly GateCheck<NodeClaim>[] = [
  checkExtractionMethod,
  checkRegisteredNames,
  checkProtectedFields,
  checkRequiredProperties,
  checkMergeKeys,
  checkPropertyTypes,
];

/** In this order; then, in the transaction, the endpoints, the formula and the write. */
export const relationshipChecks: readonly GateCheck<RelationshipClaim>[] = [
  checkExtractionMethod,
  checkRegisteredNames,
  checkProtectedFields,
  checkRequiredProperties,
  checkMergeKeys,
  checkPropertyTypes,
  checkEndpointLabels,
];
