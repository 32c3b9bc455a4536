import { ingestModes } from '../../../ingest/ingest-mode.js';
import { ingestLimits } from '../../../model/limits.js';
import { cascadeInput, graphIngest } from '../../../surfaces/graph/graph-ingest.js';
import { exportSchema, ingestPaths, ndjsonType } from '../rest/stream-routes.js';
import {
  branchParameter,
  errorResponses,
  get,
  optionalCondition,
  pathParameter,
  post,
} from './openapi-operation.js';

const lines = {
  type: 'string',
  description:
    'Lines of JSON: {"type":"Person","data":{…}} for a node, {"edge":"Knows","from":"<id>","to":"<id>","data":{…}} for an edge.',
};
const graph = pathParameter('graph');
const inQuery = (name: string, description: string, schema: object = { type: 'string' }) => ({
  ...{ name, in: 'query', description, schema },
});

export function streamOperations() {
  return [
    ...ingestPaths.map(ingestOperation),
    exportOperation('get', 'export', [
      inQuery('branch', 'The branch; default: main.'),
      inQuery('snapshot', 'A commit, instead of a branch.'),
      inQuery('ids', 'Write the id of every node, and the key of an edge as its id.', { type: 'boolean' }),
    ]),
    exportOperation('post', 'export_types', []),
  ];
}

function ingestOperation(path: (typeof ingestPaths)[number]) {
  return post(`/graphs/{graph}/${path}`, {
    operationId: path.replace('/', '_'),
    summary: graphIngest.title,
    description: `${graphIngest.description} At most ${ingestLimits.requestBytes} bytes of lines; as application/json, the arguments of the tool.`,
    tags: ['rest'],
    parameters: [
      graph,
      inQuery('mode', 'How existing rows are treated; default: merge.', { enum: ingestModes }),
      inQuery('cascade', cascadeInput.description ?? '', { type: 'boolean' }),
      inQuery('branch', 'The branch to write to; default: main.'),
      inQuery('from', 'If the branch does not exist, create it from this one.'),
      inQuery('if_commit', 'Write only if this commit is the head of the branch.'),
      inQuery('message', 'Why, in your own words; stored with the commit.'),
      ...optionalCondition,
      branchParameter,
    ],
    requestBody: {
      required: true,
      content: {
        [ndjsonType]: { schema: lines },
        ...(path === 'load/ndjson' ? {} : { 'application/json': { schema: graphIngest.input.schema() } }),
      },
    },
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: graphIngest.output?.() ?? {} } },
      },
      ...errorResponses,
    },
  });
}

function exportOperation(method: 'get' | 'post', operationId: string, parameters: readonly object[]) {
  const describe = method === 'get' ? get : post;
  return describe('/graphs/{graph}/export', {
    operationId,
    summary: 'Export',
    description:
      'Export a branch as it is now, or a commit, as lines for ingest: nodes, then edges, in creation order. Needs export.',
    tags: ['rest'],
    parameters: [graph, ...parameters, branchParameter],
    ...(method === 'get'
      ? {}
      : { requestBody: { required: false, content: { 'application/json': { schema: exportSchema() } } } }),
    responses: {
      200: { description: 'The lines.', content: { [ndjsonType]: { schema: lines } } },
      ...errorResponses,
    },
  });
}
