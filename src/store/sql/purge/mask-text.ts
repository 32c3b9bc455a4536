/** What stands where a purged text stood. */
const purgedMark = '[purged]';

/** A text without another one. */
export function maskText(value: string, secret: string): string {
  return value.replaceAll(secret, () => purgedMark);
}

/** Stored JSON without a text, in its strings, numbers and keys. */
export function maskJson(stored: string | null, secret: string): string | null {
  return stored === null ? null : JSON.stringify(maskValue(JSON.parse(stored), secret));
}

function maskValue(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return maskText(value, secret);
  if (Array.isArray(value)) return value.map((member) => maskValue(member, secret));
  if (typeof value === 'number' && String(value).includes(secret)) return purgedMark;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [maskText(key, secret), maskValue(member, secret)]),
  );
}
