import type { Hop } from '../../../row-query.js';
import type { AccessPath } from './access-path.js';
import type { PlanStep } from './plan-block.js';

/** Instead of a plan: one pass over all edges of a type. */
export interface EdgePassStep {
  readonly kind: 'edges';
  readonly hop: Hop;
}

export function describeStep(step: PlanStep | EdgePassStep, inner: boolean): string {
  if (step.kind === 'edges')
    return `read all ${step.hop.edge} from $${step.hop.from} to $${step.hop.to} in one pass`;
  return `${inner ? 'inside a block: ' : ''}${step.kind === 'start' ? describeStart(step) : describeHop(step)}`;
}

function describeStart({ variable, access }: Extract<PlanStep, { kind: 'start' }>): string {
  const types = variable.types === null ? 'any type' : variable.types.join(' or ');
  return `find $${variable.id} (${types}) ${describeAccessPath(access)}`;
}

function describeAccessPath(access: AccessPath): string {
  switch (access.kind) {
    case 'scan':
      return 'among all nodes of its type';
    case 'names':
      return 'by its id';
    case 'values':
      return `by the value of ${access.property}`;
    case 'range':
      return `by the index on ${access.property}`;
    case 'rows':
      return `among the ${access.rows.length} rows that match the words`;
  }
}

function describeHop({ hop, reversed, finds }: Extract<PlanStep, { kind: 'hop' }>): string {
  const [near, far] = reversed ? [hop.to, hop.from] : [hop.from, hop.to];
  const many = hop.min === 1 && hop.max === 1 ? '' : ` ${hop.min} to ${hop.max} times`;
  const way =
    hop.direction === 'both'
      ? 'either way'
      : (hop.direction === 'out') !== reversed
        ? 'forwards'
        : 'backwards';
  return finds === null
    ? `check that ${hop.edge} leads from $${near} to $${far}${many}`
    : `follow ${hop.edge} ${way}${many} from $${near} to $${far}`;
}
