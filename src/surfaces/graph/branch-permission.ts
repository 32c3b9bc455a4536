import { type Action, atLeastOne, type Permission } from '../../access/permission.js';

/** Asks for an action on the branch that the arguments name, and on some branch as long as there are none. */
export function branchPermission<A>(
  action: Action,
  branchOf: (args: A) => string | undefined,
): (args?: A) => readonly Permission[] {
  return (args) => [{ action, branch: args === undefined ? atLeastOne : branchOf(args) }];
}
