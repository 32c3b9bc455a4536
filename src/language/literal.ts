import type { Json } from '../model/json.js';

export interface Name {
  readonly text: string;
  /** The offset in the source. */
  readonly at: number;
}

/** A value as written; numbers stay text, because JavaScript cannot hold every integer. */
export type Literal =
  | { readonly kind: 'string' | 'number' | 'date' | 'datetime'; readonly text: string; readonly at: number }
  | { readonly kind: 'boolean'; readonly value: boolean; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Literal[]; readonly at: number };

/** An integer that JavaScript cannot hold becomes a string of digits. */
export function literalValue(literal: Literal): Json {
  switch (literal.kind) {
    case 'boolean':
      return literal.value;
    case 'list':
      return literal.items.map(literalValue);
    case 'number':
      return numberValue(literal.text);
    default:
      return literal.text;
  }
}

function numberValue(text: string): number | string {
  const value = Number(text);
  const isExact = Number.isSafeInteger(value) || (!/^-?\d+$/.test(text) && Number.isFinite(value));
  return isExact ? value + 0 : text;
}

/** A text that parses to the same literal. */
export function printLiteral(literal: Literal): string {
  switch (literal.kind) {
    case 'boolean':
      return String(literal.value);
    case 'list':
      return `[${literal.items.map(printLiteral).join(', ')}]`;
    case 'number':
      return literal.text;
    case 'string':
      return quoteString(literal.text);
    default:
      return `${literal.kind}(${quoteString(literal.text)})`;
  }
}

const escapes = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A string literal of both languages. */
export function quoteString(text: string): string {
  const inner = text.replace(
    /["\\]|\p{Cc}|\p{Cf}/gu,
    (character) => escapes.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `"${inner}"`;
}
