import type { NodeId, Observation } from '../../../model/node.js';
import type { ObservationDraft } from '../../drafts.js';
import type { RowReader } from '../../reader.js';

/** Higher than every ordinal that a node has. */
const firstFreshOrdinal = 2 ** 31;

/** Observations that were put and removed in memory, over those of a state. */
export class ObservationOverlay {
  readonly #base: Pick<RowReader, 'observationsOf'>;
  /** By node and ordinal; null: removed. */
  readonly #changed = new Map<NodeId, Map<number, Observation | null>>();
  /** Nodes whose earlier observations are gone. */
  readonly #emptied = new Set<NodeId>();
  #freshOrdinal = firstFreshOrdinal;

  constructor(base: Pick<RowReader, 'observationsOf'>) {
    this.#base = base;
  }

  async of(ids: readonly NodeId[], texts?: readonly string[]): Promise<Observation[]> {
    const found = await this.#base.observationsOf(
      ids.filter((id) => !this.#emptied.has(id)),
      texts,
    );
    if (this.#changed.size === 0) return found;
    const unchanged = found.filter(({ node, ordinal }) => this.#changed.get(node)?.has(ordinal) !== true);
    const put = [...new Set(ids)].flatMap((id) => [...(this.#changed.get(id)?.values() ?? [])]);
    const wanted = put.filter(
      (observation) => observation !== null && (texts === undefined || texts.includes(observation.text)),
    );
    return [...unchanged, ...wanted.filter((observation) => observation !== null)].sort(
      (a, b) => a.node - b.node || a.ordinal - b.ordinal,
    );
  }

  put(drafts: readonly ObservationDraft[]): Observation[] {
    return drafts.map(({ node, text, ordinal = this.#freshOrdinal++, provenance = null, createdAt = 0 }) => {
      const observation = { node, ordinal, text, provenance, createdAt };
      this.#set(node, ordinal, observation);
      return observation;
    });
  }

  remove(places: readonly { readonly node: NodeId; readonly ordinal: number }[]): void {
    for (const { node, ordinal } of places) this.#set(node, ordinal, null);
  }

  removeNodes(ids: readonly NodeId[]): void {
    for (const id of ids) {
      this.#changed.delete(id);
      this.#emptied.add(id);
    }
  }

  #set(node: NodeId, ordinal: number, observation: Observation | null): void {
    const known = this.#changed.get(node);
    if (known === undefined) this.#changed.set(node, new Map([[ordinal, observation]]));
    else known.set(ordinal, observation);
  }
}
