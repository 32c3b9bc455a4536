import type { Props } from '../../../model/json.js';

/** One thing that keeps a node or an edge out of a graph with a schema. */
export interface RowProblem {
  readonly code:
    | 'unknown_type'
    | 'wrong_end'
    | 'unknown_property'
    | 'missing_property'
    | 'wrong_type'
    | 'out_of_range'
    | 'check_failed'
    | 'bad_key';
  /** The property it is about; null if it is about the whole. */
  readonly property: string | null;
  /** A sentence that names the type, the property, what is expected and what was found. */
  readonly message: string;
  /** The name that was probably meant. */
  readonly suggestion?: string;
}

/** Properties in the form they are kept in; they are worth something only if there are no problems. */
export interface CheckedRowProps {
  readonly props: Props;
  readonly problems: readonly RowProblem[];
}
