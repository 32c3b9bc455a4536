/** Whether an `Accept` header allows an answer of a type; a request without one takes anything (RFC 9110, 12.5.1). */
export function accepts(header: string | null, type: string): boolean {
  if (header === null || header.trim() === '') return true;
  const [group] = type.split('/');
  // The most specific range decides, so that `application/json;q=0, */*` refuses JSON.
  for (const range of [type, `${group}/*`, '*/*']) {
    const weight = rangeWeight(header, range);
    if (weight !== undefined) return weight > 0;
  }
  return false;
}

/** The weight that a header gives to a range, or undefined if it does not name it. */
function rangeWeight(header: string, range: string): number | undefined {
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== range) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
    return weight === undefined ? 1 : Number(weight);
  }
  return undefined;
}
