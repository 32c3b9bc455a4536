import type { Json, Props } from '../../model/json.js';
import type { SchemaPlan, SchemaStep } from '../pg/plan/schema-step.js';

/** What becomes of the rows of one type. */
export interface Change {
  readonly kind: 'node' | 'edge';
  readonly from: string;
  /** Its name from now on; null if they go. */
  readonly to: string | null;
  /** Their properties from now on: the same object, if nothing changes. */
  revise(props: Props): Props;
}

/** The changes of a plan that rows have to follow, in an order in which no name is still borne by others. */
export function changesOf({ steps }: SchemaPlan): Change[] {
  const renamed = steps.flatMap((step): Change[] =>
    step.step === 'rename_type' && step.kind !== 'interface'
      ? [{ kind: step.kind, from: step.from, to: step.type, revise: revision(steps, step) }]
      : [],
  );
  const kept = new Map<string, Change>();
  for (const step of steps) {
    if (step.kind === 'interface' || !changesProps(step)) continue;
    if (renamed.some(({ kind, to }) => kind === step.kind && to === step.type)) continue;
    const change = { kind: step.kind, from: step.type, to: step.type, revise: revision(steps, step) };
    kept.set(`${step.kind} ${step.type}`, change);
  }
  const dropped = steps.flatMap((step): Change[] =>
    step.step === 'drop_type' && step.kind !== 'interface'
      ? [{ kind: step.kind, from: step.type, to: null, revise: (props) => props }]
      : [],
  );
  return [...renamed, ...kept.values(), ...dropped];
}

function changesProps(step: SchemaStep): boolean {
  return (
    step.step === 'rename_property' ||
    step.step === 'drop_property' ||
    (step.step === 'update_metadata' && step.emptied === true) ||
    (step.step === 'add_property' && step.default !== null) ||
    (step.step === 'add_constraint' && step.constraint.kind === 'required')
  );
}

/** What all steps about a type do to the properties of a row. */
function revision(
  steps: readonly SchemaStep[],
  { kind, type }: Pick<SchemaStep, 'kind' | 'type'>,
): (props: Props) => Props {
  const own = steps.filter((step) => step.kind === kind && step.type === type && changesProps(step));
  if (own.length === 0) return (props) => props;
  return (props) => own.reduce(revised, props);
}

function revised(props: Props, step: SchemaStep): Props {
  switch (step.step) {
    case 'rename_property':
      return renamedProperty(props, step.from, step.property);
    case 'drop_property':
      return without(props, step.property);
    case 'update_metadata':
      return step.emptied === true ? without(props, step.property) : props;
    case 'add_property':
      return filled(props, step.property, step.default);
    case 'add_constraint':
      return step.constraint.kind === 'required'
        ? filled(props, step.constraint.property, step.constraint.default)
        : props;
    default:
      return props;
  }
}

/** In its place among the others. */
function renamedProperty(props: Props, from: string, to: string): Props {
  if (!Object.hasOwn(props, from)) return props;
  return Object.fromEntries(Object.entries(props).map(([key, value]) => [key === from ? to : key, value]));
}

function without(props: Props, property: string): Props {
  if (!Object.hasOwn(props, property)) return props;
  return Object.fromEntries(Object.entries(props).filter(([key]) => key !== property));
}

function filled(props: Props, property: string, value: Json): Props {
  if (value === null || Object.hasOwn(props, property)) return props;
  return Object.fromEntries([...Object.entries(props), [property, value]]);
}
