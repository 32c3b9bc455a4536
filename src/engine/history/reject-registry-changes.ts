import { isRegistryNode, registryProtected } from '../../model/registry-node.js';
import type { RegistryAccess } from '../../store/graph-targets.js';
import type { GraphDiff } from './graph-diff.js';

/** A dry run reports what the writer would report. */
export function rejectRegistryChanges({ nodes }: GraphDiff, registry: RegistryAccess | undefined): void {
  const rows = nodes.flatMap(({ before, after }) => [before?.node ?? [], after?.node ?? []].flat());
  const entry = rows.find(isRegistryNode);
  if (entry !== undefined && registry?.mayChange?.() === false) throw registryProtected(entry.name);
}
