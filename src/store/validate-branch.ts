import { edgeKey } from '../model/edge.js';
import type { Violation } from '../model/violation.js';
import type { EdgeDraft, NodeDraft } from './drafts.js';
import type { CompiledGraphSchema } from './write-validator.js';
import type { RowWriter } from './writer.js';

const batchSize = 1_000;
/** Nobody fixes more at once. */
const maxViolations = 1_000;

/**
 * Validates a whole branch against a new schema in batches, as if it had just been put; puts rows again that the schema
 * stores differently.
 */
export async function validateBranch(
  writer: RowWriter,
  schema: CompiledGraphSchema,
): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  const stubs = await writer.stubs();
  for (let nodes = [...stubs, ...(await writer.nodes({ limit: batchSize }))]; nodes.length > 0; ) {
    const validator = schema.newValidator();
    const fitted = validator.prepareNodes(nodes, []);
    await writer.putNodes(fitted.filter((draft, index): draft is NodeDraft => draft !== nodes[index]));
    violations.push(...(await validator.violations(writer)));
    if (violations.length >= maxViolations) return violations;
    nodes = await writer.nodes({ limit: batchSize, after: nodes.at(-1)?.order });
  }
  for (let edges = await writer.edges({ limit: batchSize }); edges.length > 0; ) {
    const validator = schema.newValidator();
    const fitted = validator.prepareEdges(edges);
    const changed = edges.flatMap((edge, index) => {
      const draft = fitted[index];
      return draft === undefined || draft === edge ? [] : [{ edge, draft }];
    });
    await writer.removeEdges(changed.map(({ edge }) => edge));
    const drafts = changed.map(({ draft }) => draft);
    const shared = await findSharedIdentities(writer, drafts);
    if (shared.length > 0) return [...violations, ...shared];
    await writer.putEdges(drafts);
    violations.push(...(await validator.violations(writer)));
    if (violations.length >= maxViolations) return violations;
    edges = await writer.edges({ limit: batchSize, after: edges.at(-1)?.order });
  }
  return violations;
}

/** Edges that only a key distinguished which the new schema does not have: one would replace the other. */
async function findSharedIdentities(writer: RowWriter, drafts: readonly EdgeDraft[]): Promise<Violation[]> {
  const taken = new Set((await writer.edgesByIdentity(drafts)).map(edgeKey));
  return drafts.flatMap((edge): Violation[] => {
    const key = edgeKey(edge);
    if (!taken.has(key)) {
      taken.add(key);
      return [];
    }
    return [
      {
        ...{ kind: 'unique', edge },
        message: `Another ${edge.type} joins the same nodes, and the schema has no key that tells them apart.`,
        hint: `Give ${edge.type} a @key of src, dst and a property in which they differ, or remove one of the two first.`,
      },
    ];
  });
}
