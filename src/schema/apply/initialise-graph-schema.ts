import { readFile } from 'node:fs/promises';
import { Graph } from '../../engine/graph.js';
import { readFailureReason } from '../../file/file-errors.js';
import type { Author } from '../../model/commit.js';
import { errorCodes, TrellisError } from '../../model/error.js';
import { mainBranch } from '../../model/graph-record.js';
import { languageLimits } from '../../model/limits.js';
import { decodeUtf8 } from '../../model/text.js';
import type { Store } from '../../store/store-contract.js';
import { applyGraphSchema } from './apply-graph-schema.js';

/** How a graph compares to the schema file that the configuration names for it. */
export type SchemaFileState = 'same' | 'different' | 'empty';

/** Applies the schema of a file to a graph without commits; any other keeps what it has. */
export async function initialiseGraphSchema(
  store: Store,
  graph: string,
  path: string,
  author: Author,
): Promise<void> {
  const source = await readGraphSchemaFile(path);
  if ((await compareSchemaFile(store, graph, source)) !== 'empty') return;
  const on = new Graph(store, graph);
  await applyGraphSchema({ commit: (work) => on.commit(author, work) }, { source, file: path });
}

export async function compareSchemaFile(
  store: Store,
  graph: string,
  source: string,
): Promise<SchemaFileState> {
  const main = (await store.branches(graph)).find(({ name }) => name === mainBranch);
  if (main?.headCommit === null) return 'empty';
  const stored = await store.read({ graph }, (reader) => reader.schema());
  const { isSameSchemaSource } = await import('./same-schema-source.js');
  return isSameSchemaSource(stored, source) ? 'same' : 'different';
}

export async function readGraphSchemaFile(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new TrellisError('SCHEMA_SOURCE_UNAVAILABLE', `Cannot read ${path}: ${readFailureReason(error)}.`, {
      hint: 'Check the path and its permissions.',
      cause: error,
    });
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    throw new TrellisError('SCHEMA_SOURCE_UNAVAILABLE', `${path} is not UTF-8 text.`, {
      hint: 'Save it as UTF-8.',
    });
  }
  if (text.length <= languageLimits.sourceLength) return text;
  throw new TrellisError(
    'LIMIT_EXCEEDED',
    `${path} has more than ${languageLimits.sourceLength} characters.`,
    {
      hint: 'A schema describes types, not rows; take out what it does not need.',
      publicMessage: errorCodes.SCHEMA_SOURCE_UNAVAILABLE,
    },
  );
}
