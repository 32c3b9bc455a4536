import { TrellisError } from '../../model/error.js';
import { decodeText } from './document-text.js';

export interface Relation {
  readonly type: string;
  readonly to: string;
  readonly to_type?: string;
  readonly key?: string;
}

const word = String.raw`"(?:[^"\\]|\\.)*"|.+?`;
const pattern = new RegExp(
  String.raw`^(${word})\s*(?:->|→)\s*(${word})(?:\s*\((${word})\))?(?:\s*\[(${word})\])?$`,
  's',
);

/** `TYPE → TO`, or with more: `TYPE -> TO (type of TO) [key]`. */
export function parseRelation(text: string): Relation {
  const [, type, to, toType, key] = (pattern.exec(text.trim()) ?? []).map((part) =>
    part === undefined ? undefined : decodeText(part),
  );
  if (type === undefined || to === undefined)
    throw new TrellisError('INVALID_ARGUMENT', `${JSON.stringify(text)} is not a relation.`, {
      hint: 'Write it as TYPE → TO, such as knows → Grace; quote names with brackets or arrows like JSON strings.',
    });
  return {
    ...{ type, to },
    ...(toType === undefined ? {} : { to_type: toType }),
    ...(key === undefined ? {} : { key }),
  };
}
