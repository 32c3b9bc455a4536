import type { Json } from '../../../model/json.js';
import type { AddedConstraint, SchemaStep, TypeKind } from './schema-step.js';

/** How many rows hold one of these values of a property, which had that name. */
type RowsHolding = (property: string, values: readonly string[]) => number;

function rowCountText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`;
}

/** Collects the steps of one type. */
export class StepCollector {
  readonly #kind: TypeKind;
  readonly #type: string;
  readonly #rows: number;
  readonly #holding: RowsHolding;
  readonly #all: SchemaStep[] = [];

  constructor(kind: TypeKind, type: string, rows: number, holding: RowsHolding = () => 0) {
    this.#kind = kind;
    this.#type = type;
    this.#rows = rows;
    this.#holding = holding;
  }

  get all(): readonly SchemaStep[] {
    return this.#all;
  }

  /** The name of a property with its type before it. */
  qualifiedName(property: string): string {
    return `${this.#type}.${property}`;
  }

  get hasRows(): boolean {
    return this.#rows > 0;
  }

  get #counted(): string {
    return rowCountText(this.#rows);
  }

  /** How many rows hold one of these values of an enum, which had that name. */
  countRowsWithValues(property: string, values: readonly string[]): number {
    return this.#holding(property, values);
  }

  addProperty(property: string, defaultValue: Json, message: string): void {
    this.#all.push({ step: 'add_property', property, default: defaultValue, ...this.#done(message) });
  }

  renameProperty(property: string, from: string): void {
    const message = `${this.qualifiedName(from)} becomes ${this.qualifiedName(property)}.`;
    this.#all.push({ step: 'rename_property', property, from, ...this.#done(message) });
  }

  /** A new name that another thing has and keeps; without rows it makes no difference who had it. */
  blockedRename(property: string | null, from: string, to: string): void {
    if (!this.hasRows) return;
    const reason = `both names are in use; apply a schema first that gives ${to} a name that is free`;
    this.unsupported(property, `${from} becomes ${to}.`, reason);
  }

  dropProperty(property: string): void {
    const lost = this.hasRows ? `, with what ${this.#counted} may hold of it` : '';
    this.#all.push({
      step: 'drop_property',
      property,
      ...this.#done(`${this.qualifiedName(property)} is dropped${lost}.`),
      data_loss: this.hasRows,
    });
  }

  addConstraint(constraint: AddedConstraint, text: string): void {
    const isHeld = this.hasRows && constraint.kind !== 'index';
    const held = isHeld ? ` What is there, ${this.#counted}, has to keep it.` : '';
    this.#all.push({ step: 'add_constraint', constraint, ...this.#done(`${text}${held}`) });
  }

  extendEnum(property: string, values: readonly string[]): void {
    const message = `${this.qualifiedName(property)} may also be ${values.join(', ')}.`;
    this.#all.push({ step: 'extend_enum', property, values, ...this.#done(message) });
  }

  /** An enum that loses values; rows that hold one of them get the default, or nothing if it is null. */
  narrowEnum(property: string, values: readonly string[], rows: number, defaultValue: Json): void {
    const become =
      defaultValue === null ? (rows === 1 ? 'loses it' : 'lose it') : `get ${JSON.stringify(defaultValue)}`;
    const held =
      rows === 0 ? '' : ` ${rowCountText(rows)} that ${rows === 1 ? 'holds' : 'hold'} it ${become}.`;
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

  /** A change after which what rows hold of a property means nothing any more, and comes anew by itself. */
  clearProperty(property: string, message: string): void {
    this.#all.push({ step: 'update_metadata', property, emptied: true, ...this.#done(message) });
  }

  /** A change that rows could not follow. */
  unsupported(property: string | null, message: string, reason: string): void {
    this.#all.push({
      step: 'unsupported_change',
      property,
      reason,
      ...this.#done(`${message} This cannot be done: ${reason}.`),
      supported: false,
    });
  }

  /** A change that is harmless as long as the type has no rows. */
  unsupportedWithRows(property: string | null, message: string, reason: string): void {
    if (this.hasRows) this.unsupported(property, message, reason);
    else this.updateMetadata(property, message);
  }

  #done(message: string) {
    return { kind: this.#kind, type: this.#type, message, supported: true, data_loss: false };
  }
}
