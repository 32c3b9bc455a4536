import { checkEdgeRecord, checkNodeRecord } from '../engine/write/import-records.js';
import { asTrellisError } from '../model/error.js';
import type { ImportFormat, ImportItem, ImportReadOptions, UnreadableImport } from './import-format.js';
import type { ImportInput } from './import-input.js';

export const cannotBeStored = 'cannot be stored';

export interface ImportScan {
  readonly nodes: number;
  readonly edges: number;
  readonly unreadable: readonly UnreadableImport[];
  /** Names of what has no place in a graph. */
  readonly leftOut: readonly string[];
  /** Files of a folder that say nothing in this format. */
  readonly otherFiles: number;
}

/** Whatever cannot be stored becomes unreadable, so that an import can refuse it before anything is written. */
export async function* importItems(
  format: ImportFormat,
  input: ImportInput,
  options: ImportReadOptions = { mapping: new Map() },
): AsyncGenerator<ImportItem> {
  for (const file of input.refusedLinks)
    yield { kind: 'unreadable', file, line: 1, reason: 'is behind a link that leads out of the folder' };
  for await (const item of format.read(input, options)) yield checkItem(item);
}

export async function scanImport(
  format: ImportFormat,
  input: ImportInput,
  options?: ImportReadOptions,
): Promise<ImportScan> {
  const unreadable: UnreadableImport[] = [];
  const leftOut = new Set<string>();
  const others = new Set(input.files?.map(({ path }) => path));
  const counts = { node: 0, edge: 0, unreadable: 0 };
  for await (const item of importItems(format, input, options)) {
    counts[item.kind] += 1;
    if (item.file !== undefined) others.delete(item.file);
    if (item.kind === 'unreadable') unreadable.push(item);
    else for (const name of item.leftOut?.() ?? []) leftOut.add(name);
  }
  return {
    nodes: counts.node,
    edges: counts.edge,
    unreadable,
    leftOut: [...leftOut],
    otherFiles: others.size,
  };
}

function checkItem(item: ImportItem): ImportItem {
  try {
    if (item.kind === 'node') checkNodeRecord(item);
    if (item.kind === 'edge') checkEdgeRecord(item);
    return item;
  } catch (error) {
    const { file, line } = item;
    const reason = `${cannotBeStored}: ${asTrellisError(error).message}`;
    return { kind: 'unreadable', reason, line, ...(file === undefined ? {} : { file }) };
  }
}
