import { atLeastOne } from '../../../access/permission.js';
import type { ObjectJsonSchema } from '../../../model/json.js';
import { isMutation, parameterSchema } from '../../../query/parameter-descriptors.js';
import { parseParameters } from '../../../query/parse-parameters.js';
import type { StoredQuery } from '../../../query/stored/stored-query.js';
import { jsonText, type Tool } from '../../tool.js';
import { changes, reads } from '../../tool-annotations.js';
import { parseArguments } from '../../tool-arguments.js';
import { lazyJsonSchema } from '../../tool-json-schema.js';
import { mutateOutput, rowsOutput } from '../graph-query-shapes.js';
import type { QuerySettings } from '../query-settings.js';
import {
  runStoredQuery,
  type StoredQueryCall,
  storedCallPermissions,
  storedQueryPermissions,
} from './run-stored-query.js';
import { mutationTarget, readTarget } from './stored-query-shapes.js';

/** The tool that a stored query is: its arguments are the parameters, and where to run it. */
export function storedQueryTool(query: StoredQuery, means: QuerySettings): Tool<StoredQueryCall> {
  const { toolName: name, checked } = query;
  const isWrite = isMutation(checked);
  const place = isWrite ? mutationTarget : readTarget;
  return {
    name,
    metricName: 'stored_query',
    title: query.name,
    description: descriptionOf(query),
    annotations: isWrite ? changes : reads,
    input: {
      schema: () => withTarget(parameterSchema(checked), lazyJsonSchema(place, 'input')()),
      parse(given) {
        const members = Object.entries(parseArguments(place.loose(), name, given));
        const isPlace = ([key]: readonly [string, unknown]) => Object.hasOwn(place.shape, key);
        const { branch, snapshot } = readTarget.parse(Object.fromEntries(members.filter(isPlace)));
        const params = Object.fromEntries(members.filter((member) => !isPlace(member)));
        // What is wrong with them is said before anything is looked at.
        parseParameters(checked, params);
        return { params, branch, snapshot };
      },
    },
    output: lazyJsonSchema(isWrite ? mutateOutput : rowsOutput, 'output'),
    permissions: (args) =>
      args === undefined ? storedQueryPermissions(query, atLeastOne) : storedCallPermissions(query, args),
    async run(call, args) {
      const structured = await runStoredQuery(call, query, args, means);
      return { structured, text: [jsonText(structured)] };
    },
  };
}

function descriptionOf({ name, description, instruction, checked }: StoredQuery): string {
  const what = description ?? `The stored query ${name}, which ${isMutation(checked) ? 'writes' : 'reads'}.`;
  return instruction === undefined ? what : `${what}\n\n${instruction}`;
}

/** Where to run it follows the parameters; nothing else may be given. */
function withTarget(parameters: ObjectJsonSchema, place: ObjectJsonSchema): ObjectJsonSchema {
  return { ...parameters, properties: { ...members(parameters), ...members(place) } };
}

function members({ properties }: ObjectJsonSchema): object {
  return typeof properties === 'object' && properties !== null ? properties : {};
}
