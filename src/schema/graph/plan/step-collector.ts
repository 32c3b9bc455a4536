import type { Json } from '../../../model/json.js';
import type { AddedConstraint, SchemaStep, TypeKind } from './schema-step.js';

function rowCountText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}

/** Collects the steps of one type. */
export class StepCollector {
  readonly #kind: TypeKind;
  readonly #type: string;
  readonly #rows: number;
  readonly countRowsWithValues: (property: string, values: readonly string[]) => number;
  readonly #all: SchemaStep[] = [];

  constructor(
    kind: TypeKind,
    type: string,
    rows: number,
    countRowsWithValues: StepCollector['countRowsWithValues'] = () => 0,
  ) {
    this.#kind = kind;
    this.#type = type;
    this.#rows = rows;
    this.countRowsWithValues = countRowsWithValues;
  }

  get all(): readonly SchemaStep[] {
    return this.#all;
  }

  qualifiedName(property: string): string {
    return `${this.#type}.${property}`;
  }

  get hasRows(): boolean {
    return this.#rows > 0;
  }

  addProperty(property: string, defaultValue: Json, message: string): void {
    this.#all.push({ step: 'add_property', property, default: defaultValue, ...this.#done(message) });
  }

  renameProperty(property: string, from: string): void {
    const message = `${this.qualifiedName(from)} becomes ${this.qualifiedName(property)}.`;
    this.#all.push({ step: 'rename_property', property, from, ...this.#done(message) });
  }

  /** The new name is in use; without rows that does not matter. */
  blockedRename(property: string | null, from: string, to: string): void {
    if (!this.hasRows) return;
    const reason = `both names are in use; first apply a schema that renames ${to} to a free name`;
    this.unsupported(property, `${from} becomes ${to}.`, reason);
  }

  dropProperty(property: string): void {
    const lost = this.hasRows ? `, with its values in up to ${rowCountText(this.#rows)}` : '';
    this.#all.push({
      step: 'drop_property',
      property,
      ...this.#done(`${this.qualifiedName(property)} is dropped${lost}.`),
      data_loss: this.hasRows,
    });
  }

  addConstraint(constraint: AddedConstraint, text: string): void {
    const isHeld = this.hasRows && constraint.kind !== 'index';
    const held = isHeld
      ? ` ${this.#rows === 1 ? 'The existing row' : `All ${this.#rows} existing rows`} must satisfy it.`
      : '';
    this.#all.push({ step: 'add_constraint', constraint, ...this.#done(`${text}${held}`) });
  }

  extendEnum(property: string, values: readonly string[]): void {
    const message = `${this.qualifiedName(property)} may also be ${values.join(', ')}.`;
    this.#all.push({ step: 'extend_enum', property, values, ...this.#done(message) });
  }

  narrowEnum(property: string, values: readonly string[], rows: number, defaultValue: Json): void {
    const [lose, get] = rows === 1 ? ['loses', 'gets'] : ['lose', 'get'];
    const become = defaultValue === null ? `${lose} it` : `${get} ${JSON.stringify(defaultValue)}`;
    const held = rows === 0 ? '' : ` ${rowCountText(rows)} with such a value ${become}.`;
    const message = `${this.qualifiedName(property)} may no longer be ${values.join(', ')}.${held}`;
    this.#all.push({
      ...{ step: 'narrow_enum', property, values, default: defaultValue },
      ...this.#done(message),
      data_loss: rows > 0,
    });
  }

  updateMetadata(property: string | null, message: string): void {
    this.#all.push({ step: 'update_metadata', property, ...this.#done(message) });
  }

  /** A change that makes existing values useless; the embedder computes new ones. */
  clearProperty(property: string, message: string): void {
    this.#all.push({ step: 'update_metadata', property, emptied: true, ...this.#done(message) });
  }

  unsupported(property: string | null, message: string, reason: string): void {
    this.#all.push({
      step: 'unsupported_change',
      property,
      reason,
      ...this.#done(`${message} This is not supported: ${reason}.`),
      supported: false,
    });
  }

  unsupportedWithRows(property: string | null, message: string, reason: string): void {
    if (this.hasRows) this.unsupported(property, message, reason);
    else this.updateMetadata(property, message);
  }

  #done(message: string) {
    return { kind: this.#kind, type: this.#type, message, supported: true, data_loss: false };
  }
}
