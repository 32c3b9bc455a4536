import type { CypherAccess } from '../../cypher/cypher-connection.js';
import { CypherTarget } from '../../gate/cypher/cypher-target.js';
import { ConstraintWatch } from '../../gate/cypher/key-constraints.js';
import type { Gate } from '../../gate/gate.js';
import type { GateTarget } from '../../gate/gate-target.js';
import { TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import type { CallContext } from '../call-context.js';

/** Writes go to a graph database instead of the graph; it has no branches. */
export function databaseTarget(
  access: CypherAccess,
  gate: Gate,
  warn: (message: string) => void,
): (call: CallContext) => GateTarget {
  const watch = new ConstraintWatch(access, warn);
  const target = new CypherTarget(access, (key) => void watch.check(key));
  if (gate.schema !== undefined)
    for (const { label, required_properties: properties } of gate.rules().nodes)
      if (properties.length > 0) void watch.check({ label, properties });
  return ({ graph: { branch } }) => {
    if (branch === mainBranch) return target;
    throw new TrellisError(
      'INVALID_ARGUMENT',
      `The gate writes to a graph database, which has no branch ${branch}.`,
      {
        hint: `Use the branch ${mainBranch}.`,
      },
    );
  };
}
