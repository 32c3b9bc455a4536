import { reasonOf } from '../../../model/error.js';
import { escapeInvisible } from '../text/invisible-characters.js';
import { quoteValue } from '../text/quote-value.js';

type ParsedJson = { readonly value: unknown } | { readonly problem: string };

/** Parses JSON and reports the position of an error, as far as the JavaScript engine gives it. */
export function parseJson(text: string): ParsedJson {
  // Editors on Windows write a byte order mark.
  const json = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (json.trim() === '') return { problem: 'is empty; it must contain a JSON object' };
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    const message = reasonOf(error);
    return { problem: `is not JSON: ${shortenMessage(message)}${positionText(message, json)}` };
  }
}

/** V8 quotes the text around the error, which may be long and contain anything. */
function shortenMessage(message: string): string {
  const [, token] = /^Unexpected token '?(.+?)'?,/s.exec(message) ?? [];
  if (token !== undefined) return `unexpected ${quoteValue(token)}`;
  const plain = message.replace(/ in JSON at position.*$/s, '').replace(/ in JSON$/, '');
  return escapeInvisible(plain.charAt(0).toLowerCase() + plain.slice(1, 200));
}

function positionText(message: string, json: string): string {
  const [, digits] = /at position (\d+)/.exec(message) ?? [];
  const position = message.includes('end of JSON input') ? json.length : Number(digits ?? Number.NaN);
  if (Number.isNaN(position)) return '';
  const before = json.slice(0, position);
  const line = before.split('\n').length;
  return ` (line ${line}, column ${position - before.lastIndexOf('\n')})`;
}
