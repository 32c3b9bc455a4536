import { listExtractionMethods } from '../formula/call-formula.js';
import type { FormulaProvider } from '../formula/formula-provider.js';
import { protectedFields as gateComputed } from '../gate-names.js';
import { checkPropertyTypes } from './check-property-types.js';
import type { Claim, RelationshipClaim } from './claim.js';
import { formulaFailed } from './compute-confidence.js';
import { RejectedError } from './rejected-error.js';

/** Throws `RejectedError` with every failure of its kind. */
type GateCheck<C> = (claim: C) => void;

/** In this order; then the formula and the write. */
export const nodeChecks: readonly GateCheck<Claim>[] = [
  checkExtractionMethod,
  checkRegisteredNames,
  checkProtectedFields,
  checkRequiredProperties,
  checkMergeKeys,
  checkPropertyTypes,
];

/** Then, in the transaction, the endpoints, the formula and the write. */
export const relationshipChecks: readonly GateCheck<RelationshipClaim>[] = [
  ...nodeChecks,
  checkEndpointLabels,
];

/** A node without keys could never be found again. Runs after the required properties, which say more. */
function checkMergeKeys({ parts }: Claim): void {
  const empty = parts.filter(({ keys, values }) => keys && Object.keys(values).length === 0);
  if (empty.length === 0) return;
  throw new RejectedError(
    'INVALID_ARGUMENT',
    `Wrong arguments: ${empty.map(({ argument }) => `${argument} must not be empty`).join('; ')}.`,
    'Provide the properties that identify this node within its label, such as {"name": "…"}.',
    { faults: empty.map(({ argument }) => ({ argument, problem: 'must not be empty' })) },
  );
}

/** Required properties may be among the properties or the keys; null does not count. */
function checkRequiredProperties({ required }: Claim): void {
  const given = new Set(
    required.parts.flatMap(({ values }) => Object.keys(values).filter((name) => values[name] !== null)),
  );
  const missing = required.properties.filter((name) => !given.has(name));
  if (missing.length === 0) return;
  throw new RejectedError(
    'SCHEMA_MISSING_REQUIRED_PROPERTY',
    `The registry requires ${missing.join(', ')}.`,
    `Provide ${missing.length === 1 ? 'it' : 'them'} in ${required.parts.map(({ argument }) => argument).join(' or ')}.`,
    { missing },
  );
}

function checkProtectedFields({ parts }: Claim): void {
  const fields = parts.flatMap(({ argument, values }) =>
    Object.keys(values)
      .filter((name) => gateComputed.has(name))
      .map((field) => ({ argument, field })),
  );
  if (fields.length === 0) return;
  throw new RejectedError(
    'SCHEMA_PROTECTED_FIELD',
    `Only the gate may set ${[...new Set(fields.map(({ field }) => field))].join(', ')}.`,
    'Omit what the gate sets; pass source, extraction_method, reliability and derived_from as separate arguments.',
    { fields },
  );
}

function checkExtractionMethod({ origin, rules }: Claim): void {
  const allowed = allowedMethods(rules.formula);
  if (allowed.has(origin.extraction_method)) return;
  throw new RejectedError(
    'INVALID_EXTRACTION_METHOD',
    `The extraction_method ${JSON.stringify(origin.extraction_method)} is unknown.`,
    `Use one of: ${[...allowed].slice(0, maxMethodsListed).join(', ')}${allowed.size > maxMethodsListed ? ', …' : ''}.`,
    { given: origin.extraction_method, allowed: [...allowed] },
  );
}

const maxMethodsListed = 40;

/** An operator's formula may fail. */
function allowedMethods(formula: FormulaProvider): ReadonlySet<string> {
  try {
    return new Set(listExtractionMethods(formula));
  } catch (error) {
    throw formulaFailed('The formula failed to list its extraction methods', error);
  }
}

function checkRegisteredNames({ names, rules }: Claim): void {
  const unknown = names.filter(({ canonical }) => canonical === undefined);
  if (unknown.length === 0) return;
  const { registry } = rules.schema;
  const isType = unknown.some(({ argument }) => argument === 'type');
  const isLabel = unknown.some(({ argument }) => argument !== 'type');
  const suggestions = unknown.flatMap(({ suggested }) => suggested ?? []);
  throw new RejectedError(
    'SCHEMA_UNKNOWN_LABEL',
    `Not registered: ${unknown.map(({ argument, given }) => `${argument} ${JSON.stringify(given)}`).join(', ')}.`,
    nameHint(suggestions, registry.allCanonicalLabels().length === 0),
    {
      unknown: unknown.map(({ argument, given, suggested }) => ({
        argument,
        given,
        ...(suggested === undefined ? {} : { suggested }),
      })),
      ...(isLabel ? { labels: registry.allCanonicalLabels().slice(0, maxNamesListed) } : {}),
      ...(isType ? { relationship_types: registry.allRelationTypes().slice(0, maxNamesListed) } : {}),
    },
  );
}

function nameHint(suggestions: readonly string[], isEmpty: boolean): string {
  if (isEmpty)
    return 'No label is registered, so nothing can be written: the operator of the server must add labels.';
  const meant = suggestions.length > 0 ? `Did you mean ${suggestions.join(', ')}? ` : '';
  return `${meant}Use a registered name exactly as spelled.`;
}

/** Keeps a large registry from filling an agent's context. */
const maxNamesListed = 100;

function checkEndpointLabels({ relation, type, from, to }: RelationshipClaim): void {
  if (relation === undefined) return;
  const wrong = [
    ...disallowedEnd(from.canonical, relation.from_labels, 'from'),
    ...disallowedEnd(to.canonical, relation.to_labels, 'to'),
  ];
  if (wrong.length === 0) return;
  const starts = labelsOrAny(relation.from_labels);
  const ends = labelsOrAny(relation.to_labels);
  const pairs = starts.flatMap((start) => ends.map((end) => ({ from: start, to: end })));
  const legend = [...starts, ...ends].includes(anyLabel) ? `; ${anyLabel} means any label` : '';
  throw new RejectedError(
    'SCHEMA_ENDPOINT_MISMATCH',
    `${type.canonical} does not connect ${from.canonical} to ${to.canonical}.`,
    `It connects ${starts.join(' or ')} to ${ends.join(' or ')}${legend}.`,
    {
      type: type.canonical,
      from: from.canonical,
      to: to.canonical,
      wrong,
      allowed: pairs.slice(0, maxPairsListed),
    },
  );
}

const maxPairsListed = 100;
const anyLabel = '*';

function disallowedEnd(label: string | undefined, allowed: readonly string[], end: string): string[] {
  return label === undefined || allowed.length === 0 || allowed.includes(label) ? [] : [end];
}

function labelsOrAny(labels: readonly string[]): readonly string[] {
  return labels.length === 0 ? [anyLabel] : labels;
}
