import type { Json } from '../../../model/json.js';

/** What has steps of its own. */
export type TypeKind = 'interface' | 'node' | 'edge';

/** What every step says. Names are those of the schema that is to be. */
interface StepBase {
  readonly kind: TypeKind;
  readonly type: string;
  /** What it does, as a sentence. */
  readonly message: string;
  /** False of what cannot be done; then none of the steps is. */
  readonly supported: boolean;
  /** Whether values that rows hold would be gone. */
  readonly data_loss: boolean;
}

/** One step from a schema to another; in the order in which they are to be taken. */
export type SchemaStep = StepBase &
  (
    | { readonly step: 'add_type' }
    | { readonly step: 'rename_type'; readonly from: string }
    /** Rows that are there get the default; null if there is none. */
    | { readonly step: 'add_property'; readonly property: string; readonly default: Json }
    | { readonly step: 'rename_property'; readonly property: string; readonly from: string }
    /** Rows that are there have to keep it, but for an index; if one does not, nothing is applied. */
    | { readonly step: 'add_constraint'; readonly constraint: AddedConstraint }
    | { readonly step: 'extend_enum'; readonly property: string; readonly values: readonly string[] }
    /** Rows that hold one of these values get the default, or lose the property if there is none. */
    | {
        readonly step: 'narrow_enum';
        readonly property: string;
        readonly values: readonly string[];
        readonly default: Json;
      }
    /** What no row can break: descriptions, a wider type, a constraint less; of a property, or of the type if it is null. */
    | { readonly step: 'update_metadata'; readonly property: string | null; readonly emptied?: never }
    /** A vector that is to be made of another text: what rows hold of it goes, and the embedder fills it anew. */
    | { readonly step: 'update_metadata'; readonly property: string; readonly emptied: true }
    | { readonly step: 'drop_type' }
    | { readonly step: 'drop_property'; readonly property: string }
    | { readonly step: 'unsupported_change'; readonly property: string | null; readonly reason: string }
  );

export type AddedConstraint =
  | { readonly kind: 'key' | 'unique' | 'index'; readonly properties: readonly string[] }
  | {
      readonly kind: 'range';
      readonly property: string;
      readonly min: number | string | null;
      readonly max: number | string | null;
    }
  | { readonly kind: 'check'; readonly property: string; readonly pattern: string }
  | { readonly kind: 'cardinality'; readonly min: number; readonly max: number | null }
  /** Rows that lack the property get the default; null if there is none, and then no row lacks it. */
  | { readonly kind: 'required'; readonly property: string; readonly default: Json };

/** How to get from one schema to another. */
export interface SchemaPlan {
  readonly steps: readonly SchemaStep[];
  /** Whether every step can be done. */
  readonly supported: boolean;
  /** Whether a step loses what rows hold. */
  readonly data_loss: boolean;
}

/** What has to be known of the graph. */
export interface RowCounts {
  /** How many rows a type has, by its name before the plan. */
  countRows(kind: 'node' | 'edge', type: string): number;
  /** How many rows hold one of the values that an enum is to lose. */
  countRowsWithValues(narrowed: NarrowedEnum): number;
}

/** Values that an enum is to lose; names are those before the plan. */
export interface NarrowedEnum {
  readonly kind: 'node' | 'edge';
  readonly type: string;
  readonly property: string;
  readonly values: readonly string[];
}
