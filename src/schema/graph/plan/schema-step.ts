import type { Json } from '../../../model/json.js';

export type TypeKind = 'interface' | 'node' | 'edge';

/** Names are those of the new schema. */
interface StepBase {
  readonly kind: TypeKind;
  readonly type: string;
  readonly message: string;
  /** If one step is not supported, none is applied. */
  readonly supported: boolean;
  /** Whether rows lose values. */
  readonly data_loss: boolean;
}

/** One step from a schema to the next, in the order of execution. */
export type SchemaStep = StepBase &
  (
    | { readonly step: 'add_type' }
    | { readonly step: 'rename_type'; readonly from: string }
    /** Existing rows get the default; null if there is none. */
    | { readonly step: 'add_property'; readonly property: string; readonly default: Json }
    | { readonly step: 'rename_property'; readonly property: string; readonly from: string }
    /** Existing rows must satisfy it (except an index); otherwise nothing is applied. */
    | { readonly step: 'add_constraint'; readonly constraint: AddedConstraint }
    | { readonly step: 'extend_enum'; readonly property: string; readonly values: readonly string[] }
    /** Rows with one of these values get the default, or lose the property if there is none. */
    | {
        readonly step: 'narrow_enum';
        readonly property: string;
        readonly values: readonly string[];
        readonly default: Json;
      }
    /** No row can violate it: a description, a wider type, a dropped constraint. A null property means the type. */
    | { readonly step: 'update_metadata'; readonly property: string | null; readonly emptied?: never }
    /** A vector with another source: its values are removed, and the embedder fills it again. */
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
  /** Rows without the property get the default; null if no row lacks it. */
  | { readonly kind: 'required'; readonly property: string; readonly default: Json };

export interface SchemaPlan {
  readonly steps: readonly SchemaStep[];
  readonly supported: boolean;
  readonly data_loss: boolean;
}

export interface RowCounts {
  /** By the name of the type before the plan. */
  countRows(kind: 'node' | 'edge', type: string): number;
  countRowsWithValues(narrowed: NarrowedEnum): number;
}

/** Values that an enum loses; names are those before the plan. */
export interface NarrowedEnum {
  readonly kind: 'node' | 'edge';
  readonly type: string;
  readonly property: string;
  readonly values: readonly string[];
}
