import { isRecord } from '../model/is-record.js';
import type { Json } from '../model/json.js';

const maxTextLength = 200;
const maxItems = 20;
const maxMembers = 50;
const maxLevels = 4;

/** Shortens any value to what a person needs to see of it, and makes it storable. */
export function truncate(value: unknown, level = 0): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return truncateText(value);
  if (level >= maxLevels) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => truncate(item, level + 1));
    return value.length > maxItems ? [...items, `… and ${value.length - maxItems} more`] : items;
  }
  if (!isRecord(value)) return `a ${typeof value}`;
  const entries = Object.entries(value);
  const members = entries
    .slice(0, maxMembers)
    .map(([name, member]): [string, Json] => [truncateText(name), truncate(member, level + 1)]);
  if (entries.length > maxMembers) members.push(['…', `and ${entries.length - maxMembers} more`]);
  return Object.fromEntries(members);
}

/** Also of a text that was shortened already. */
export function isTooLong(text: string): boolean {
  return text.length > maxTextLength;
}

function truncateText(text: string): string {
  const short = isTooLong(text) ? `${text.slice(0, maxTextLength)}…` : text;
  return short.toWellFormed().replaceAll('\0', '\uFFFD');
}
