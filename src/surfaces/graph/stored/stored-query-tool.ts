import { atLeastOne } from '../../../access/permission.js';
import type { ObjectJsonSchema } from '../../../model/json.js';
import { isMutation, parameterSchema } from '../../../query/parameter-descriptors.js';
import { parseParameters } from '../../../query/parse-parameters.js';
import type { StoredQuery } from '../../../query/stored/stored-query.js';
import { jsonText, type Tool } from '../../tool.js';
import { changes, reads } from '../../tool-annotations.js';
import { parseArguments } from '../../tool-arguments.js';
import { lazyJsonSchema } from '../../tool-json-schema.js';
import { mutateOutput, type QuerySettings, rowsOutput } from '../graph-query-shapes.js';
import {
  runStoredQuery,
  type StoredQueryCall,
  storedCallPermissions,
  storedQueryPermissions,
} from './run-stored-query.js';
import { mutationTarget, readTarget } from './stored-query-shapes.js';

const anyTarget = readTarget.extend(mutationTarget.shape);

/** Its arguments are the parameters of the query, and the branch or snapshot. */
export function storedQueryTool(query: StoredQuery, settings: QuerySettings): Tool<StoredQueryCall> {
  const { toolName: name, checked } = query;
  const isWrite = isMutation(checked);
  const target = isWrite ? mutationTarget : readTarget;
  return {
    name,
    metricName: 'stored_query',
    title: query.name,
    description: descriptionOf(query),
    annotations: isWrite ? changes : reads,
    input: {
      schema: () => withTarget(parameterSchema(checked), lazyJsonSchema(target, 'input')()),
      parse(given) {
        const members = Object.entries(parseArguments(target.loose(), name, given));
        const isTarget = ([key]: readonly [string, unknown]) => Object.hasOwn(target.shape, key);
        const { branch, snapshot, if_commit } = anyTarget.parse(Object.fromEntries(members.filter(isTarget)));
        const params = Object.fromEntries(members.filter((member) => !isTarget(member)));
        // Reports wrong parameters before anything is read.
        parseParameters(checked, params);
        return { params, branch, snapshot, ifCommit: if_commit };
      },
    },
    output: lazyJsonSchema(isWrite ? mutateOutput : rowsOutput, 'output'),
    permissions: (args) =>
      args === undefined ? storedQueryPermissions(query, atLeastOne) : storedCallPermissions(query, args),
    async run(call, args) {
      const structured = await runStoredQuery(call, query, args, settings);
      return { structured, text: [jsonText(structured)] };
    },
  };
}

function descriptionOf({ name, description, instruction, checked }: StoredQuery): string {
  const what = description ?? `The stored query ${name}, which ${isMutation(checked) ? 'writes' : 'reads'}.`;
  return instruction === undefined ? what : `${what}\n\n${instruction}`;
}

function withTarget(parameters: ObjectJsonSchema, target: ObjectJsonSchema): ObjectJsonSchema {
  return { ...parameters, properties: { ...members(parameters), ...members(target) } };
}

function members({ properties }: ObjectJsonSchema): object {
  return typeof properties === 'object' && properties !== null ? properties : {};
}
