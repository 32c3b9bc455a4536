import { isRecord } from '../../../model/is-record.js';
import type { Json, Props } from '../../../model/json.js';
import { textProblem } from '../../../model/text.js';
import type { LineFormat } from './line-record.js';

/** The fixed keys of each kind of line, in the order they are written. */
export const fixedKeys = {
  memory: {
    node: ['type', 'name', 'entityType', 'observations'],
    edge: ['type', 'from', 'to', 'relationType'],
  },
  mesh: {
    node: ['type', 'name', 'nodeType', 'metadata'],
    edge: ['type', 'from', 'to', 'edgeType', 'weight'],
  },
} as const satisfies Record<LineFormat, { node: readonly string[]; edge: readonly string[] }>;

/** Databases and printers refuse deeply nested JSON; a deeper property stays a foreign key. */
const maxPropsDepth = 64;

export function isText(value: unknown): value is string {
  return typeof value === 'string' && textProblem(value) === undefined;
}

export function isTextArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}

export function isWeight(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

export function isProps(value: unknown): value is Props {
  return isRecord(value) && isJson(value);
}

export function isJson(value: unknown, depth = maxPropsDepth): value is Json {
  if (typeof value === 'string') return textProblem(value) === undefined;
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([key, item]) => isText(key) && isJson(item, depth - 1));
}

/** Keys that are ours only if their value has this shape; otherwise they are foreign and kept as they are. */
const optionalKeys = {
  node: new Map<string, (value: unknown) => boolean>([
    ['summary', isText],
    ['tags', isTextArray],
    ['props', isProps],
  ]),
  edge: new Map<string, (value: unknown) => boolean>([
    ['weight', isWeight],
    ['key', isText],
    ['props', isProps],
  ]),
};

export function isOptionalKey(kind: 'node' | 'edge', key: string, value: unknown): boolean {
  return optionalKeys[kind].get(key)?.(value) ?? false;
}
