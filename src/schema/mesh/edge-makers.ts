import type { Props } from '../../model/json.js';

/** Which properties of its node made an edge, and whether somebody made it by hand as well. */
export interface EdgeMakers {
  readonly makers: readonly string[];
  readonly byHand: boolean;
}

// Properties of the edge itself, so that files, copies and exports keep them. Names with `_` are shown by no tool.
const makersKey = '_made_by';
const byHandKey = '_by_hand';

/** What an edge records about its makers; undefined if it was made by hand, or before this was recorded. */
export function edgeMakersOf(props: Props): EdgeMakers | undefined {
  const makers = props[makersKey];
  if (!Array.isArray(makers)) return undefined;
  return { makers: makers.filter((one) => typeof one === 'string'), byHand: props[byHandKey] === true };
}

/** The properties of an edge with its makers recorded; undefined: none are. */
export function withEdgeMakers(props: Props, recorded: EdgeMakers | undefined): Props {
  const { [makersKey]: _makers, [byHandKey]: _byHand, ...others } = props;
  if (recorded === undefined) return others;
  return { ...others, [makersKey]: [...recorded.makers], ...(recorded.byHand ? { [byHandKey]: true } : {}) };
}
