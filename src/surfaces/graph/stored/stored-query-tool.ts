import { atLeastOne } from '../../../access/permission.js';
import { isMutation, parameterSchema } from '../../../query/parameter-descriptors.js';
import { parseParameters } from '../../../query/parse-parameters.js';
import type { StoredQuery } from '../../../query/stored/stored-query.js';
import { changes, reads } from '../../annotations.js';
import { parseArguments } from '../../arguments.js';
import { lazySchema, type ObjectSchema } from '../../json-schema.js';
import { jsonText, type Tool } from '../../tool.js';
import type { QueryMeans } from '../query-means.js';
import { mutateOutput, rowsOutput } from '../query-shapes.js';
import { neededFor, neededForCall, runStored, type StoredCall } from './run-stored.js';
import { mutationPlace, readPlace } from './shapes.js';

/** The tool that a stored query is: its arguments are the parameters, and where to run it. */
export function storedQueryTool(query: StoredQuery, means: QueryMeans): Tool<StoredCall> {
  const { toolName: name, checked } = query;
  const isWrite = isMutation(checked);
  const place = isWrite ? mutationPlace : readPlace;
  return {
    name,
    countedAs: 'stored_query',
    title: query.name,
    description: descriptionOf(query),
    annotations: isWrite ? changes : reads,
    input: {
      schema: () => withPlace(parameterSchema(checked), lazySchema(place, 'input')()),
      parse(given) {
        const members = Object.entries(parseArguments(place.loose(), name, given));
        const isPlace = ([key]: readonly [string, unknown]) => Object.hasOwn(place.shape, key);
        const { branch, snapshot } = readPlace.parse(Object.fromEntries(members.filter(isPlace)));
        const params = Object.fromEntries(members.filter((member) => !isPlace(member)));
        // What is wrong with them is said before anything is looked at.
        parseParameters(checked, params);
        return { params, branch, snapshot };
      },
    },
    output: lazySchema(isWrite ? mutateOutput : rowsOutput, 'output'),
    permissions: (args) => (args === undefined ? neededFor(query, atLeastOne) : neededForCall(query, args)),
    async run(call, args) {
      const structured = await runStored(call, query, args, means);
      return { structured, text: [jsonText(structured)] };
    },
  };
}

function descriptionOf({ name, description, instruction, checked }: StoredQuery): string {
  const what = description ?? `The stored query ${name}, which ${isMutation(checked) ? 'writes' : 'reads'}.`;
  return instruction === undefined ? what : `${what}\n\n${instruction}`;
}

/** Where to run it follows the parameters; nothing else may be given. */
function withPlace(parameters: ObjectSchema, place: ObjectSchema): ObjectSchema {
  return { ...parameters, properties: { ...members(parameters), ...members(place) } };
}

function members({ properties }: ObjectSchema): object {
  return typeof properties === 'object' && properties !== null ? properties : {};
}
