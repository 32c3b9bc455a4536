import type { Json, Props } from '../../model/json.js';
import { type PropsWithProvenance, type Provenance, retainProvenance } from '../../model/provenance.js';
import type { SchemaPlan, SchemaStep } from '../graph/plan/schema-step.js';

export interface RowMigration {
  readonly kind: 'node' | 'edge';
  readonly from: string;
  /** The new name of the type; null if its rows are removed. */
  readonly to: string | null;
  /** Returns the same object if nothing changes. */
  revise<Row extends PropsWithProvenance>(row: Row): Row;
}

/** Ordered so that each new name is free when its turn comes. */
export function rowMigrations({ steps }: SchemaPlan): RowMigration[] {
  const renamed = steps.flatMap((step): RowMigration[] =>
    step.step === 'rename_type' && step.kind !== 'interface'
      ? [{ kind: step.kind, from: step.from, to: step.type, revise: propsMigration(steps, step) }]
      : [],
  );
  const kept = new Map<string, RowMigration>();
  for (const step of steps) {
    if (step.kind === 'interface' || !changesProps(step)) continue;
    if (renamed.some(({ kind, to }) => kind === step.kind && to === step.type)) continue;
    const change = { kind: step.kind, from: step.type, to: step.type, revise: propsMigration(steps, step) };
    kept.set(`${step.kind} ${step.type}`, change);
  }
  const dropped = steps.flatMap((step): RowMigration[] =>
    step.step === 'drop_type' && step.kind !== 'interface'
      ? [{ kind: step.kind, from: step.type, to: null, revise: (row) => row }]
      : [],
  );
  return [...renamed, ...kept.values(), ...dropped];
}

function changesProps(step: SchemaStep): boolean {
  return (
    step.step === 'rename_property' ||
    step.step === 'drop_property' ||
    (step.step === 'narrow_enum' && step.data_loss) ||
    (step.step === 'update_metadata' && step.emptied === true) ||
    (step.step === 'add_property' && step.default !== null) ||
    (step.step === 'add_constraint' && step.constraint.kind === 'required')
  );
}

/** Applies all steps of a type to properties and provenance. */
function propsMigration(
  steps: readonly SchemaStep[],
  { kind, type }: Pick<SchemaStep, 'kind' | 'type'>,
): RowMigration['revise'] {
  const own = steps.filter((step) => step.kind === kind && step.type === type && changesProps(step));
  if (own.length === 0) return (row) => row;
  const renames = own.filter((step) => step.step === 'rename_property');
  return (row) => {
    const props = own.reduce(applyStep, row.props);
    if (props === row.props) return row;
    const renamed = {
      props: renames.reduce(applyStep, row.props),
      provenance: renames.reduce(
        (provenance, { from, property }) => renameInProvenance(provenance, from, property),
        row.provenance,
      ),
    };
    return { ...row, props, provenance: retainProvenance(renamed, props) };
  };
}

function renameInProvenance(provenance: Provenance | null, from: string, to: string): Provenance | null {
  if (provenance === null) return null;
  const { properties, merge_keys: keys } = provenance;
  return {
    ...provenance,
    ...(properties === undefined ? {} : { properties: renameKey(properties, from, to) }),
    ...(keys === undefined ? {} : { merge_keys: keys.map((key) => (key === from ? to : key)) }),
  };
}

function applyStep(props: Props, step: SchemaStep): Props {
  switch (step.step) {
    case 'rename_property':
      return renameKey(props, step.from, step.property);
    case 'drop_property':
      return omitProperty(props, step.property);
    case 'narrow_enum':
      return removeEnumValues(props, step.property, step.values, step.default);
    case 'update_metadata':
      return step.emptied === true ? omitProperty(props, step.property) : props;
    case 'add_property':
      return fillDefault(props, step.property, step.default);
    case 'add_constraint':
      return step.constraint.kind === 'required'
        ? fillDefault(props, step.constraint.property, step.constraint.default)
        : props;
    default:
      return props;
  }
}

type Members<T> = Readonly<Record<string, T>>;

/** Keeps the order of the keys. */
function renameKey<T>(members: Members<T>, from: string, to: string): Members<T> {
  if (!Object.hasOwn(members, from)) return members;
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key === from ? to : key, value]));
}

function removeEnumValues(props: Props, property: string, values: readonly string[], standard: Json): Props {
  const value = Object.hasOwn(props, property) ? props[property] : undefined;
  if (typeof value !== 'string' || !values.includes(value)) return props;
  return fillDefault(omitProperty(props, property), property, standard);
}

function omitProperty(props: Props, property: string): Props {
  if (!Object.hasOwn(props, property)) return props;
  return Object.fromEntries(Object.entries(props).filter(([key]) => key !== property));
}

function fillDefault(props: Props, property: string, value: Json): Props {
  if (value === null || Object.hasOwn(props, property)) return props;
  return Object.fromEntries([...Object.entries(props), [property, value]]);
}
