import { useMemo } from 'preact/hooks';
import { api } from '../../api/graph-api.js';
import { branchName, graphName } from '../../state/address.js';
import { useLoad } from '../../state/use-load.js';
import type { KnownNames } from './completion.js';
import { parseSchema } from './parse-schema.js';
import { schemaSource } from './query-api.js';

/** What completion offers: the schema, and what the branch holds. */
export function useKnownNames(): KnownNames & { readonly isKnown: boolean } {
  const key = [graphName.value, branchName.value];
  const schema = useLoad(['schema', ...key], schemaSource);
  const types = useLoad(['types', ...key], (signal) => api.value.types(signal));
  return useMemo(
    () => ({
      ...parseSchema(schema.data ?? ''),
      nodeTypes: types.data?.node_types.map(({ type }) => type) ?? [],
      edgeTypes: types.data?.edge_types.map(({ type }) => type) ?? [],
      isKnown: !schema.isLoading && !types.isLoading,
    }),
    [schema.data, types.data, schema.isLoading, types.isLoading],
  );
}
