import type { Json, Props } from '../../../model/json.js';
import type { DerivedProperty } from '../../../store/read-results.js';
import { type NodeState, sameNode } from '../graph-diff.js';
import type { Sides } from './conflict.js';

/** The side whose derived property fits the merged value it derives from; undefined if that does not decide it. */
export function derivedPropertySide(
  { from, property }: DerivedProperty,
  { ours, theirs }: Sides<Props>,
  merged: ReadonlyMap<string, Json>,
): 'ours' | 'theirs' | undefined {
  const fits = (side: Props) => own(side, from) === merged.get(from);
  if (fits(ours) !== fits(theirs)) return fits(ours) ? 'ours' : 'theirs';
  if (own(ours, property) === undefined) return 'theirs';
  return own(theirs, property) === undefined ? 'ours' : undefined;
}

/** Whether a side only gained derived properties: nobody has changed anything. */
export function onlyDerivedChanged(
  before: NodeState | null,
  after: NodeState | null,
  derived: readonly DerivedProperty[],
): boolean {
  if (before === null || after === null) return false;
  const made = new Set(
    derived
      .filter(
        ({ type, property }) => type === after.node.type && own(before.node.props, property) === undefined,
      )
      .map(({ property }) => property),
  );
  if (made.size === 0) return false;
  const props = Object.fromEntries(Object.entries(after.node.props).filter(([name]) => !made.has(name)));
  return sameNode(before, { ...after, node: { ...after.node, props } });
}

function own(props: Props, name: string): Json | undefined {
  return Object.hasOwn(props, name) ? props[name] : undefined;
}
