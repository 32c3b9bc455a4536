import { isRecord } from '../../../model/is-record.js';
import { fixedKeys, isOptionalKey } from './line-keys.js';
import { parseJsonlLine } from './parse-jsonl-line.js';

/** A key that is not ours, with its value exactly as the line spells it. */
export interface ForeignMember {
  readonly key: string;
  readonly source: string;
}

/** What is not ours in a readable line, so that printing the line again can keep it. */
export function foreignMembers(text: string): ForeignMember[] {
  const record = parseJsonlLine(text);
  const value: unknown = record.kind === 'unreadable' ? undefined : JSON.parse(text);
  if (record.kind === 'unreadable' || !isRecord(value)) return [];
  const fixed: readonly string[] = fixedKeys[record.format][record.kind];
  const isForeign = (key: string) => !fixed.includes(key) && !isOptionalKey(record.kind, key, value[key]);
  if (!Object.keys(value).some(isForeign)) return [];
  return members(text).filter(({ key }) => isForeign(key));
}

/** Cut out of a valid JSON object: printing values again would round long numbers and fail on deep nesting. */
function members(text: string): ForeignMember[] {
  const found: ForeignMember[] = [];
  let at = text.indexOf('{') + 1;
  while (true) {
    const keyStart = text.indexOf('"', at);
    if (keyStart === -1) return found;
    const keyEnd = endOfString(text, keyStart);
    const valueStart = text.indexOf(':', keyEnd) + 1;
    const valueEnd = endOfValue(text, valueStart);
    const key: unknown = JSON.parse(text.slice(keyStart, keyEnd));
    found.push({ key: String(key), source: text.slice(valueStart, valueEnd).trim() });
    if (text[valueEnd] !== ',') return found;
    at = valueEnd + 1;
  }
}

/** After the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** At the comma or brace. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (depth === 0 && (character === ',' || character === '}')) return at;
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    at += 1;
  }
  return at;
}
