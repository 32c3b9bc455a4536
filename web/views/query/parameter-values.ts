import type { Parameter } from './parse-query-heads.js';
import type { Values } from './query-api.js';

/** The texts of a form, by the name of the parameter. */
export type ParameterTexts = Readonly<Record<string, string>>;

/** What the query gets. An empty field of a parameter that can be null is left out. */
export function parameterValues(params: readonly Parameter[], texts: ParameterTexts): Values {
  return Object.fromEntries(
    params.flatMap((param): [string, unknown][] => {
      const text = texts[param.name] ?? '';
      return text === '' && (param.nullable || param.kind !== 'string')
        ? []
        : [[param.name, jsonOf(param, text)]];
    }),
  );
}

/** Values that do not fit are passed on as they are: the server says what is wrong with them. */
function jsonOf(
  { kind, item_kind = 'string' }: Pick<Parameter, 'kind' | 'item_kind'>,
  text: string,
): unknown {
  switch (kind) {
    case 'int':
    case 'float':
      return numberOf(text);
    case 'bool':
      return text === 'true';
    case 'datetime':
      return momentOf(text);
    case 'list':
      return linesOf(text).map((line) => jsonOf({ kind: item_kind }, line));
    case 'vector':
      return text
        .split(/[\s,]+/)
        .filter((part) => part !== '')
        .map(numberOf);
    default:
      return text;
  }
}

function numberOf(text: string): number | string {
  const number = Number(text);
  return Number.isFinite(number) && text.trim() !== '' ? number : text;
}

/** A field for times has the reader's zone. */
function momentOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
