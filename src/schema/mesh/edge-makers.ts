import type { Props } from '../../model/json.js';

/** Which properties of its node created an edge, and whether a call created it by hand as well. */
export interface EdgeMakers {
  readonly makers: readonly string[];
  readonly byHand: boolean;
}

// Stored on the edge, so that files, copies and exports keep them. No tool shows names that begin with `_`.
const makersKey = '_made_by';
const byHandKey = '_by_hand';

/** Undefined if the edge was created by hand, or before makers were recorded. */
export function edgeMakersOf(props: Props): EdgeMakers | undefined {
  const makers = props[makersKey];
  if (!Array.isArray(makers)) return undefined;
  return { makers: makers.filter((one) => typeof one === 'string'), byHand: props[byHandKey] === true };
}

export function withEdgeMakers(props: Props, recorded: EdgeMakers | undefined): Props {
  const { [makersKey]: _makers, [byHandKey]: _byHand, ...others } = props;
  if (recorded === undefined) return others;
  return { ...others, [makersKey]: [...recorded.makers], ...(recorded.byHand ? { [byHandKey]: true } : {}) };
}
