import { limits } from '../../../model/limits.js';
import { textProblem } from '../../../model/text.js';
import type { Scalar } from '../../../model/value-type.js';
import { parseDate, parseDateTime } from './parse-date.js';
import { parseBigInteger, parseFloating, parseInteger } from './parse-number.js';
import { invalidValue, type ParsedValue } from './parsed-value.js';

export interface ScalarOptions {
  /** Whether a blob may omit the prefix `base64:`, as in parameters. */
  readonly plainBase64?: boolean;
}

/** The reason is empty if naming the type says it all. */
export function parseScalar(scalar: Scalar, value: unknown, options: ScalarOptions = {}): ParsedValue {
  switch (scalar) {
    case 'Bool':
      return typeof value === 'boolean' ? { value } : invalidValue('');
    case 'I32':
    case 'U32':
      return parseInteger(scalar, value);
    case 'I64':
    case 'U64':
      return parseBigInteger(scalar, value);
    case 'F32':
    case 'F64':
      return parseFloating(scalar, value);
    default:
      return typeof value === 'string' ? parseText(scalar, value, options) : invalidValue('');
  }
}

function parseText(
  scalar: 'String' | 'Blob' | 'Date' | 'DateTime',
  value: string,
  { plainBase64 = false }: ScalarOptions,
): ParsedValue {
  if (value.length > limits.textLength)
    return invalidValue(`it has ${value.length} characters; at most ${limits.textLength} are allowed`);
  switch (scalar) {
    case 'Date':
      return parseDate(value);
    case 'DateTime':
      return parseDateTime(value);
    case 'Blob':
      return parseBlob(value, plainBase64);
    case 'String': {
      const problem = textProblem(value);
      return problem === undefined ? { value } : invalidValue(`it ${problem}`);
    }
  }
}

const blobPrefix = 'base64:';

function parseBlob(value: string, plainBase64: boolean): ParsedValue {
  const isMarked = value.startsWith(blobPrefix);
  if (!isMarked && !plainBase64) return invalidValue(`write a blob as ${blobPrefix}…`);
  const digits = isMarked ? value.slice(blobPrefix.length) : value;
  // Node decodes leniently, so compare with the text encoded again.
  if (Buffer.from(digits, 'base64').toString('base64') !== digits)
    return invalidValue('it is not base64 with padding');
  return { value: blobPrefix + digits };
}
