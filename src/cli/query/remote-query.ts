import { TrellisError } from '../../model/error.js';
import { listOutput } from '../../surfaces/graph/stored/stored-query-shapes.js';
import type { GraphTools, ToolArguments } from '../remote/graph-tools.js';
import { type ParamOptions, parseParamFlags, parseParams } from './parse-params.js';
import { readQueryText } from './resolve-query-source.js';

interface RemoteQuery {
  /** `query` or `mutate`, or `queries_run` for a stored query. */
  readonly tool: string;
  readonly args: ToolArguments;
}

/** A file or the query itself is sent as text; any other word is the name of a stored query of the server. */
export async function remoteQuery(
  tools: GraphTools,
  tool: 'query' | 'mutate',
  given: string,
  options: ParamOptions & { readonly name?: string },
): Promise<RemoteQuery> {
  const source = await readQueryText(given);
  if (source !== undefined) {
    const params = parseParams(source, options.name, options);
    return { tool, args: { source: source.text, name: options.name, params } };
  }
  const { queries } = await tools.call('queries_list', {}, listOutput);
  const query = queries.find(({ name }) => name === given);
  if (query !== undefined && query.mutation !== (tool === 'mutate'))
    throw new TrellisError('USAGE', `${given} ${query.mutation ? 'changes' : 'only reads'} the graph.`, {
      hint: `Run it with: trellis ${query.mutation ? 'mutate' : 'query'}`,
    });
  const kinds = new Map(query?.params.map(({ name, kind }) => [name, kind]));
  const isText = (name: string) => textKinds.has(kinds.get(name) ?? 'string');
  return { tool: 'queries_run', args: { name: given, params: parseParamFlags(options, isText) } };
}

const textKinds: ReadonlySet<string> = new Set(['string', 'date', 'datetime', 'blob']);
