import type { Edge } from '../../model/edge.js';
import { TrellisError } from '../../model/error.js';
import type { Node } from '../../model/node.js';
import type { Provenance } from '../../model/provenance.js';
import { registryType } from '../../model/registry-node.js';
import type { Reader } from '../../store/reader.js';

/** The facts that a reference in `derived_from` means. */
export interface FactSource {
  readonly reference: string;
  /** Several if the name has several meanings; then no commit. */
  readonly nodes: readonly Node[];
  /** What was stated about them, with a confidence for each part. */
  readonly provenance: readonly Provenance[];
  /** The reference is the id of a commit. */
  readonly isCommit: boolean;
}

/** A commit that touched more is too large to be a source. */
export const maxSourceSize = 1_000;

/** A reference is the name of a node, `Type:name`, or the id of a commit in the history of this state. */
export async function findSources(
  reader: Reader,
  references: readonly string[],
): Promise<readonly FactSource[]> {
  const qualified = references.map(parseQualified);
  const names = new Set([...references, ...qualified.flatMap((one) => one?.name ?? [])]);
  const named = (await reader.nodesNamed([...names])).filter(
    ({ stub, type }) => !stub && type !== registryType,
  );
  const found: FactSource[] = [];
  for (const [index, reference] of references.entries()) {
    const own = named.filter(({ name }) => name === reference);
    const typed = qualified[index];
    const nodes =
      own.length > 0 || typed === undefined
        ? own
        : named.filter(({ name, type }) => name === typed.name && type === typed.type);
    const commit = nodes.length === 0 ? await writtenBy(reader, reference) : undefined;
    found.push({
      ...{ reference, nodes, isCommit: commit !== undefined },
      provenance: commit ?? nodes.flatMap(({ provenance }) => statedIn(provenance)),
    });
  }
  return found;
}

function parseQualified(reference: string): { readonly type: string; readonly name: string } | undefined {
  const [, type, name] = /^:?([^:]+):(.+)$/s.exec(reference) ?? [];
  return type === undefined || name === undefined ? undefined : { type, name };
}

/** The provenance of a whole, and of each of its properties. */
function statedIn(provenance: Provenance | null): readonly Provenance[] {
  return provenance === null ? [] : [provenance, ...Object.values(provenance.properties ?? {})];
}

/** Undefined if this state has no such commit, or it cannot be read any more. */
async function writtenBy(reader: Reader, id: string): Promise<readonly Provenance[] | undefined> {
  if (!/^[0-9A-Z]{26}$/.test(id) || !(await reader.hasCommit(id))) return undefined;
  const { nodes, edges } = await reader.touchedBy(id);
  if (nodes.length + edges.length > maxSourceSize) throw sourceTooLarge(id);
  const then = await reader.at(id);
  const written = [...(await then.nodesById(nodes)), ...(await then.edgesByIdentity(edges))];
  return written.flatMap(statedLast);
}

/** What the last write stated: its stamps have one time. */
function statedLast({ provenance }: Node | Edge): readonly Provenance[] {
  return statedIn(provenance).filter(({ last_updated }) => last_updated === provenance?.last_updated);
}

function sourceTooLarge(id: string): TrellisError {
  return new TrellisError('INVALID_ARGUMENT', `The commit ${id} changed more than ${maxSourceSize} things.`, {
    hint: 'Name the nodes that the fact was derived from instead.',
  });
}
