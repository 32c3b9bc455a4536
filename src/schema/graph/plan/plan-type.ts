import { isDeepStrictEqual } from 'node:util';
import type { EdgeType, NodeType } from '../graph-schema.js';
import { matchNames, type Pair } from './match-names.js';
import { planConstraints } from './plan-constraints.js';
import { planProperties, sameDescription } from './plan-properties.js';
import type { RowCounts, SchemaStep } from './schema-step.js';
import { StepCollector } from './step-collector.js';

/** The changes within a type; `newName` maps the old name of a node type to its new one. */
export function planType(
  kind: 'node' | 'edge',
  [before, after]: Pair<NodeType> | Pair<EdgeType>,
  counts: RowCounts,
  newName: (name: string) => string,
): readonly SchemaStep[] {
  const type = before.name;
  const steps = new StepCollector(kind, after.name, counts.countRows(kind, type), (property, values) =>
    counts.countRowsWithValues({ kind, type, property, values }),
  );
  const properties = matchNames([...before.properties.values()], [...after.properties.values()]);
  planProperties(steps, properties, after.key ?? []);
  const nowCalled = new Map(properties.renamed.map(([old, { name }]) => [old.name, name]));
  planConstraints(steps, before, after, (name) => nowCalled.get(name) ?? name);
  if ('from' in before && 'from' in after) planEnds(steps, before, after, newName);
  if ('implements' in before && 'implements' in after) {
    if (!isDeepStrictEqual(before.implements, after.implements))
      steps.updateMetadata(null, `${after.name} implements ${after.implements.join(', ') || 'nothing'}.`);
  }
  if (!sameDescription(before, after))
    steps.updateMetadata(null, `The description of ${after.name} changes.`);
  return steps.all;
}

function planEnds(
  steps: StepCollector,
  before: EdgeType,
  after: EdgeType,
  newName: (name: string) => string,
): void {
  const old = `${newName(before.from)} -> ${newName(before.to)}`;
  const next = `${after.from} -> ${after.to}`;
  if (old === next) return;
  steps.unsupportedWithRows(
    null,
    `${after.name} connects ${next} instead of ${old}.`,
    `its edges connect ${old}; declare another edge and move them`,
  );
}
