import type { AccessPath } from './access-path.js';
import type { PlanStep } from './plan-block.js';

export function describeStep(step: PlanStep, inner: boolean): string {
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
