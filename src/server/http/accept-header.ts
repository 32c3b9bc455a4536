/** RFC 9110, 12.5.1: the most specific range decides, and without the header everything is accepted. */
export function accepts(header: string | null, type: string): boolean {
  if (header === null || header.trim() === '') return true;
  const [group] = type.split('/');
  for (const range of [type, `${group}/*`, '*/*']) {
    const weight = rangeWeight(header, range);
    if (weight !== undefined) return weight > 0;
  }
  return false;
}

function rangeWeight(header: string, range: string): number | undefined {
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== range) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice('q='.length);
    return weight === undefined ? 1 : Number(weight);
  }
  return undefined;
}
