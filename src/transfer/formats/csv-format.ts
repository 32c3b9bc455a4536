import type { Json } from '../../model/json.js';

/** One line of RFC 4180. Lists and objects are JSON; null is empty, and an empty text is quoted. */
export function csvLine(values: readonly Json[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: Json): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\r\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
