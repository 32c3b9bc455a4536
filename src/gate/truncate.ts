import { isRecord } from '../model/is-record.js';
import type { Json } from '../model/json.js';

const textShown = 200;
const itemsShown = 20;
const membersShown = 50;
const levelsShown = 4;

/** A value cut short to what a person needs to see of it, and made storable whatever it was. */
export function truncated(value: unknown, level = 0): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string') return shortText(value);
  if (level >= levelsShown) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, itemsShown).map((item) => truncated(item, level + 1));
    return value.length > itemsShown ? [...items, `… and ${value.length - itemsShown} more`] : items;
  }
  if (!isRecord(value)) return `a ${typeof value}`;
  const entries = Object.entries(value);
  const members = entries
    .slice(0, membersShown)
    .map(([name, member]): [string, Json] => [shortText(name), truncated(member, level + 1)]);
  if (entries.length > membersShown) members.push(['…', `and ${entries.length - membersShown} more`]);
  return Object.fromEntries(members);
}

function shortText(text: string): string {
  const short = text.length > textShown ? `${text.slice(0, textShown)}…` : text;
  return short.toWellFormed().replaceAll('\0', '\uFFFD');
}
