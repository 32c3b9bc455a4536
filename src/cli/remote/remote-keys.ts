import { z } from 'zod';
import { cachedGraphSchema } from '../../schema/enforce/graph-schema-cache.js';
import type { GraphTools } from './graph-tools.js';

const schemaAnswer = z.object({ schema_source: z.string() });

/** The keys of node types in the graph schema of a server, which is asked once, if needed. */
export function remoteKeys(
  tools: GraphTools,
  branch: string | undefined,
): (type: string) => Promise<readonly string[] | null> {
  let schema: ReturnType<typeof readSchema> | undefined;
  return async (type) => {
    schema ??= readSchema(tools, branch);
    return (await schema)?.nodes.get(type)?.key ?? null;
  };
}

async function readSchema(tools: GraphTools, branch: string | undefined) {
  const { schema_source: source } = await tools.call('schema_get', { branch }, schemaAnswer);
  return source === '' ? null : cachedGraphSchema(source);
}
