import type { Props } from '../../model/json.js';
import type { FormulaProvider } from '../formula/formula-provider.js';
import type { ConflictPolicy, SuspiciousTextPolicy, UnknownLabelPolicy } from '../gate-settings.js';
import type { LoadedRegistry } from '../registry/registry-cache.js';
import type { RelationEntry, SchemaEntry } from '../registry/schema-registry.js';
import type { TrustRule } from '../review/trust-rules.js';
import type { NodeArguments, Origin, RelationshipArguments } from './gate-arguments.js';
import { type ResolvedName, resolveLabel, resolveType } from './resolved-name.js';

/** Fixed at the start of a write, so that a refresh does not affect it. */
export interface GateRules {
  readonly schema: LoadedRegistry;
  readonly formula: FormulaProvider;
  readonly unknownLabels: UnknownLabelPolicy;
  readonly conflicts: ConflictPolicy;
  readonly trust: readonly TrustRule[];
  readonly suspiciousText: SuspiciousTextPolicy;
}

/** Values of one argument, with the registry entry they must fit. */
export interface ClaimValues {
  readonly argument: string;
  readonly values: Props;
  readonly entry: Pick<SchemaEntry, 'property_types'> | undefined;
  /** Keys identify a node, so they must not be empty. */
  readonly keys: boolean;
}

/** What an agent wants written, in the shape the checks need. */
export interface Claim {
  readonly rules: GateRules;
  readonly origin: Origin;
  readonly names: readonly ResolvedName[];
  readonly parts: readonly ClaimValues[];
  readonly required: { readonly properties: readonly string[]; readonly parts: readonly ClaimValues[] };
}

export interface NodeClaim extends Claim {
  readonly args: NodeArguments;
  readonly label: ResolvedName;
}

export interface RelationshipClaim extends Claim {
  readonly args: RelationshipArguments;
  readonly relation: RelationEntry | undefined;
  readonly type: ResolvedName;
  readonly from: ResolvedName;
  readonly to: ResolvedName;
}

export function nodeClaim(args: NodeArguments, rules: GateRules): NodeClaim {
  const label = resolveLabel('label', args.label, rules.schema, rules.unknownLabels);
  const entry = entryOf(label, rules.schema);
  const parts: ClaimValues[] = [
    { argument: 'merge_keys', values: args.merge_keys, entry, keys: true },
    { argument: 'properties', values: args.properties, entry, keys: false },
  ];
  const required = { properties: entry?.required_properties ?? [], parts };
  return { rules, origin: args, args, label, names: [label], parts, required };
}

export function relationshipClaim(args: RelationshipArguments, rules: GateRules): RelationshipClaim {
  const { schema, unknownLabels } = rules;
  const type = resolveType('type', args.type, schema);
  const from = resolveLabel('from_label', args.from_label, schema, unknownLabels);
  const to = resolveLabel('to_label', args.to_label, schema, unknownLabels);
  const relation = type.canonical === undefined ? undefined : schema.registry.getRelation(type.canonical);
  const properties: ClaimValues = {
    argument: 'properties',
    values: args.properties,
    entry: relation,
    keys: false,
  };
  return {
    rules,
    origin: args,
    args,
    relation,
    type,
    from,
    to,
    names: [type, from, to],
    parts: [
      properties,
      { argument: 'from_keys', values: args.from_keys, entry: entryOf(from, schema), keys: true },
      { argument: 'to_keys', values: args.to_keys, entry: entryOf(to, schema), keys: true },
    ],
    required: { properties: relation?.required_properties ?? [], parts: [properties] },
  };
}

function entryOf({ canonical }: ResolvedName, { registry }: LoadedRegistry): SchemaEntry | undefined {
  return canonical === undefined ? undefined : registry.getEntry(canonical);
}
