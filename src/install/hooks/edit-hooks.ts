import { findNodeAtLocation, getNodeValue, type JSONPath, type Node } from 'jsonc-parser';
import { isRecord } from '../../model/is-record.js';
import { parseJsonObject } from '../edit-json.js';
import { cutMember, insertMember, jsonAt, jsonLayout } from '../insert-json-member.js';
import type { EntryValue } from '../server-entry.js';
import { lineAt, UnreadableConfig } from '../unreadable-config.js';
import type { HookItem } from './hook-files.js';

const key = 'hooks';

/** Our hooks in a file, in its order. */
export function readHooks(text: string): readonly HookItem[] {
  const root = parseJsonObject(text, key);
  return root === undefined ? [] : ownItems(root).map(({ event, value }) => ({ event, value }));
}

/** Adds hooks to those of others; comments, order and indentation stay. */
export function addHooks(text: string, items: readonly HookItem[], newFile: EntryValue = {}): string {
  if (text.trim() === '') return newHooksFile(items, newFile);
  let body = text;
  for (const { event, value } of items) {
    const root = parseJsonObject(body, key);
    if (root === undefined) return newHooksFile(items, newFile);
    body = addOne(body, root, event, value);
  }
  return body;
}

/** Removes our hooks, and the lists and objects that are empty then. */
export function removeHooks(text: string): string {
  let body = text;
  for (;;) {
    const root = parseJsonObject(body, key);
    const [item] = root === undefined ? [] : ownItems(root);
    if (root === undefined || item === undefined) return body;
    const { event, index } = item;
    const list = findNodeAtLocation(root, [key, event])?.children?.length ?? 0;
    const events = findNodeAtLocation(root, [key])?.children?.length ?? 0;
    const path: JSONPath = list > 1 ? [key, event, index] : events > 1 ? [key, event] : [key];
    body = cutMember(body, root, path);
  }
}

function newHooksFile(items: readonly HookItem[], newFile: EntryValue): string {
  const hooks = Object.fromEntries(items.map(({ event, value }) => [event, [value]]));
  return `${JSON.stringify({ ...newFile, [key]: hooks }, null, 2)}\n`;
}

function addOne(body: string, root: Node, event: string, value: EntryValue): string {
  const hooks = findNodeAtLocation(root, [key]);
  if (hooks === undefined)
    return insertMember(body, root, { name: key, value: { [event]: [value] }, depth: 1 });
  requireKind(body, hooks, 'object', `"${key}"`);
  const list = findNodeAtLocation(root, [key, event]);
  if (list === undefined) return insertMember(body, hooks, { name: event, value: [value], depth: 2 });
  requireKind(body, list, 'array', `"${event}"`);
  const layout = jsonLayout(body);
  const item = jsonAt(value, 3, layout);
  const last = list.children?.at(-1);
  const [start, end] = [list.offset, list.offset + list.length];
  if (last === undefined) return `${body.slice(0, start)}[${item}]${body.slice(end)}`;
  const at = last.offset + last.length;
  return `${body.slice(0, at)},${layout.eol}${layout.indent.repeat(3)}${item}${body.slice(at)}`;
}

function requireKind(body: string, node: Node, kind: Node['type'], what: string): void {
  if (node.type !== kind) throw new UnreadableConfig(`${what} is not an ${kind}`, lineAt(body, node.offset));
}

interface OwnItem extends HookItem {
  readonly index: number;
}

function ownItems(root: Node): readonly OwnItem[] {
  const hooks = findNodeAtLocation(root, [key]);
  const events: unknown = hooks === undefined ? undefined : getNodeValue(hooks);
  if (!isRecord(events)) return [];
  return Object.entries(events).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((value: unknown, index) =>
      isRecord(value) && runsHook(value) ? [{ event, index, value }] : [],
    ),
  );
}

function runsHook(value: unknown): boolean {
  return /\btrellis(?:-memory(?:@[\w.-]+)?|\.js)?(?:\\?["'])? hook (?:session-start|checkpoint)\b/.test(
    JSON.stringify(value),
  );
}
