import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import { listNames, maxNamesListed } from '../../model/quoting.js';
import { checkFact, checkName, checkText } from '../../model/text.js';
import type { Transaction } from '../graph.js';
import type { NodeSpec } from '../specs.js';
import { addObservationsLenient } from './add-observations-lenient.js';
import { findNewNodes } from './find-new-nodes.js';
import { NodesByName } from './nodes-by-name.js';
import { distinctTags } from './set-tags.js';

/** For existing names: refuse the batch, add to the node, or leave it unchanged. */
type OnConflict = 'refuse' | 'append' | 'skip';

interface CreateNodesResult {
  /** Created or changed, in the order of the specs. */
  readonly nodes: readonly Node[];
  readonly appended: readonly string[];
  readonly skipped: readonly string[];
}

export async function createNodesOnConflict(
  tx: Transaction,
  given: readonly NodeSpec[],
  onConflict: OnConflict,
): Promise<CreateNodesResult> {
  const specs = given.map(checkSpec);
  const { fresh, repeated, put } = await findNewNodes(tx.rows, specs);
  if (repeated.length > 0 && onConflict === 'refuse') throw entitiesExist(repeated);
  if (fresh.length > 0) {
    tx.announce('createNodes', { nodes: fresh });
    await put();
  }
  const isNew = new Set(fresh);
  const others = onConflict === 'append' ? specs.filter((spec) => !isNew.has(spec)) : [];
  if (others.length > 0) await appendToNodes(tx, others);
  const written = onConflict === 'append' ? specs : fresh;
  return {
    nodes: [...new Map((await resolveNodes(tx, written)).map(({ node }) => [node.id, node])).values()],
    appended: onConflict === 'append' ? repeated : [],
    skipped: onConflict === 'skip' ? repeated : [],
  };
}

function checkSpec(spec: NodeSpec): NodeSpec {
  checkName(spec.name, 'The name of an entity');
  checkName(spec.type, `The type of ${JSON.stringify(spec.name)}`);
  for (const text of spec.observations) checkFact(text, `An observation of ${JSON.stringify(spec.name)}`);
  if (typeof spec.summary === 'string')
    checkText(spec.summary, `The summary of ${JSON.stringify(spec.name)}`);
  return { ...spec, tags: distinctTags(spec.tags ?? [], spec.name) };
}

/** Adds observations and tags, and replaces the summary. The type stays. */
async function appendToNodes(tx: Transaction, specs: readonly NodeSpec[]): Promise<void> {
  const meant = await resolveNodes(tx, specs);
  await addObservationsLenient(
    tx,
    meant.map(({ spec, node: { name, type } }) => ({ name, type, texts: spec.observations })),
  );
  for (const { spec, node: before } of meant) {
    const { name, summary, tags = [] } = spec;
    const node = (await tx.rows.nodesNamed([name])).find(({ id }) => id === before.id);
    if (node === undefined) continue;
    const joined = [...new Set([...node.tags, ...tags])];
    const described = summary !== undefined && summary !== null;
    if (!described && joined.length === node.tags.length) continue;
    tx.announce('updateNodes', { updates: [{ name }] });
    const newest = (await tx.rows.tallyObservations([node.id])).get(node.id)?.newest ?? 0;
    const summarised = described ? { summary, summaryUpdatedAt: Math.max(tx.rows.now, newest) } : {};
    await tx.rows.putNodes([{ ...node, tags: joined, ...summarised }]);
  }
}

/** The type only matters among namesakes: a unique name means its node, whatever the type. */
async function resolveNodes(
  { rows }: Transaction,
  specs: readonly NodeSpec[],
): Promise<{ readonly spec: NodeSpec; readonly node: Node }[]> {
  const nodes = await NodesByName.load(rows, specs);
  return specs.flatMap((spec) => {
    const { name, type } = spec;
    const node = nodes.real(nodes.exists({ name, type }) ? { name, type } : { name });
    return node === undefined ? [] : [{ spec, node }];
  });
}

function entitiesExist(names: readonly string[]): TrellisError {
  return new TrellisError('ENTITY_EXISTS', `Entity already exists: ${listNames(names)}.`, {
    hint:
      'Nothing was created. Leave them out, give each name once, or call again with on_conflict "append" ' +
      '(add to what is there) or "skip" (leave it as it is).',
    details: { names: names.slice(0, maxNamesListed) },
  });
}
