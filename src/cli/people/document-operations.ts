import { TrellisError } from '../../model/error.js';
import { canonicalJson } from '../../model/json.js';
import type { ToolArguments } from '../remote/graph-tools.js';
import { type NodeDocument, type PeopleNode, relationLine } from './node-document.js';
import { parseRelation } from './parse-relation.js';

/** What turns the node into what the text says. The first operation is about the node itself, even if it sets nothing. */
export function documentOperations(
  { node, edges }: PeopleNode,
  before: NodeDocument,
  after: NodeDocument,
): ToolArguments[] {
  const target = { name: node.name, type: node.type };
  const set = changedFields(before, after);
  const operations = [
    ...observationOperations(before, after).map((operation) => ({ ...operation, ...target })),
    ...relationOperations(edges.out, before, after).map((relation) => ({
      ...{ from: node.name, from_type: node.type, ...relation },
    })),
    ...(after.name === before.name && after.type === before.type
      ? []
      : [
          {
            ...{ op: 'update_node', ...target },
            set: {
              ...(after.name === before.name ? {} : { name: after.name }),
              ...(after.type === before.type ? {} : { type: after.type }),
            },
          },
        ]),
  ];
  if (operations.length === 0 && Object.keys(set).length === 0) return [];
  return [{ op: 'update_node', ...target, set }, ...operations];
}

function changedFields(before: NodeDocument, after: NodeDocument): ToolArguments {
  const names = new Set([...before.properties.keys(), ...after.properties.keys()]);
  const props = [...names].flatMap((name): [string, unknown][] => {
    const [old, now] = [before.properties.get(name), after.properties.get(name)];
    return canonicalJson(old) === canonicalJson(now) ? [] : [[name, now ?? null]];
  });
  return {
    ...(before.summary === after.summary ? {} : { summary: after.summary ?? null }),
    ...(canonicalJson(before.tags) === canonicalJson(after.tags) ? {} : { tags: after.tags }),
    ...(props.length === 0 ? {} : { props: Object.fromEntries(props) }),
  };
}

function observationOperations(before: NodeDocument, after: NodeDocument): ToolArguments[] {
  const unknown = [...after.observations.keys()].find((ordinal) => !before.observations.has(ordinal));
  if (unknown !== undefined)
    throw new TrellisError('INVALID_ARGUMENT', `There is no observation ${unknown}.`, {
      hint: 'Start a new observation with + instead of a number.',
    });
  const deleted = [...before.observations.keys()].filter((ordinal) => !after.observations.has(ordinal));
  const changed = [...after.observations].filter(
    ([ordinal, text]) => before.observations.get(ordinal) !== text,
  );
  return [
    ...changed.map(([ordinal, text]) => ({ op: 'replace_observation', ordinal, text })),
    ...(deleted.length === 0 ? [] : [{ op: 'delete_observations', ordinals: deleted }]),
    ...(after.newObservations.length === 0 ? [] : [{ op: 'add_observations', texts: after.newObservations }]),
  ];
}

/** An unchanged line is the same edge, whatever else the edge holds. */
function relationOperations(
  edges: PeopleNode['edges']['out'],
  before: NodeDocument,
  after: NodeDocument,
): ToolArguments[] {
  const deleted = edges.filter((edge) => !after.relations.includes(relationLine(edge)));
  const added = after.relations.filter((line) => !before.relations.includes(line));
  return [
    ...deleted.map(({ type, to, key }) => ({ op: 'delete_edge', type, to: to.name, to_type: to.type, key })),
    ...added.map((line) => ({ op: 'add_edge', ...parseRelation(line) })),
  ];
}
