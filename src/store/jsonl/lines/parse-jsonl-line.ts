import { defaultWeight } from '../../../model/edge.js';
import { isRecord } from '../../../model/is-record.js';
import { storableText, textProblem } from '../../../model/text.js';
import { isProps, isText, isTextArray, isWeight } from './line-keys.js';
import type {
  EdgeLineRecord,
  LineFormat,
  LineRecord,
  NodeLineRecord,
  UnreadableLineRecord,
} from './line-record.js';

const emptyProps = Object.freeze({});

/** Never throws: a line without usable content is `unreadable`. */
export function parseJsonlLine(text: string): LineRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // Only deep nesting makes the parser run out of stack.
    return unreadable(error instanceof RangeError ? 'is nested too deeply' : 'is not JSON');
  }
  if (!isRecord(value)) return unreadable('is not a JSON object');
  switch (value['type']) {
    case 'entity':
      return parseNode(value, 'memory', 'entityType', 'observations');
    case 'node':
      return parseNode(value, 'mesh', 'nodeType', 'metadata');
    case 'relation':
      return parseEdge(value, 'memory', 'relationType');
    case 'edge':
      return parseEdge(value, 'mesh', 'edgeType');
    case undefined:
      return unreadable('has no "type"');
    default:
      return unreadable('has a "type" that is neither entity, relation, node nor edge');
  }
}

type LineObject = Readonly<Record<string, unknown>>;

function parseNode(
  line: LineObject,
  format: LineFormat,
  typeKey: string,
  factsKey: string,
): NodeLineRecord | UnreadableLineRecord {
  const { name, summary, tags, props } = line;
  const type = line[typeKey];
  const observations = line[factsKey];
  const problem =
    stringProblem(line, 'name') ?? shapeProblem(type, typeKey) ?? listProblem(observations, factsKey);
  if (problem !== undefined || !isText(name) || typeof type !== 'string' || !isStrings(observations)) {
    return unreadable(problem ?? 'has the wrong shape');
  }
  const isStorable = isText(type) && isTextArray(observations);
  return {
    kind: 'node',
    format,
    name,
    type: storableText(type),
    observations: isStorable ? observations : observations.map(storableText),
    ...(isStorable ? {} : { original: { type, observations } }),
    summary: isText(summary) ? summary : null,
    tags: isTextArray(tags) ? tags : [],
    props: isProps(props) ? props : emptyProps,
  };
}

function parseEdge(
  line: LineObject,
  format: LineFormat,
  typeKey: string,
): EdgeLineRecord | UnreadableLineRecord {
  const { from, to, key, weight, props } = line;
  const type = line[typeKey];
  const problem = stringProblem(line, 'from') ?? stringProblem(line, 'to') ?? stringProblem(line, typeKey);
  if (problem !== undefined || !isText(from) || !isText(to) || !isText(type)) {
    return unreadable(problem ?? 'has the wrong shape');
  }
  if (format === 'mesh' && weight !== undefined && !isWeight(weight)) {
    return unreadable('has a "weight" that is not a number from 0 to 1');
  }
  return {
    kind: 'edge',
    format,
    from,
    to,
    type,
    key: isText(key) ? key : '',
    weight: isWeight(weight) ? weight : defaultWeight,
    props: isProps(props) ? props : emptyProps,
  };
}

function stringProblem(line: LineObject, key: string): string | undefined {
  const value = line[key];
  const problem = typeof value === 'string' ? textProblem(value) : undefined;
  return problem === undefined ? shapeProblem(value, key) : `has a "${key}" that ${problem}`;
}

function shapeProblem(value: unknown, key: string): string | undefined {
  if (value === undefined) return `has no "${key}"`;
  return typeof value === 'string' ? undefined : `has a "${key}" that is not a string`;
}

function listProblem(value: unknown, key: string): string | undefined {
  if (value === undefined) return `has no "${key}"`;
  if (!Array.isArray(value)) return `has "${key}" that are not a list`;
  return isStrings(value) ? undefined : `has an item in "${key}" that is not a string`;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function unreadable(reason: string): UnreadableLineRecord {
  return { kind: 'unreadable', reason };
}
