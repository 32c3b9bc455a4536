import { InvalidArgumentError } from 'commander';

const units: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `30d` or `12h`, in milliseconds. */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  if (factor === undefined)
    throw new InvalidArgumentError('Give a number and a unit: 30d, 12h, 15m, 45s or 2w.');
  return Number(count) * factor;
}

/** A date, a date with a time, or how long ago. Milliseconds since 1970. */
export function parseTime(text: string): number {
  if (/^\d+[smhdw]$/.test(text)) return Date.now() - parseDuration(text);
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError(
      'Give a date, 2026-01-31 or 2026-01-31T12:00:00Z, or how long ago, 12h or 30d.',
    );
  return time;
}

export function parsePositiveInteger(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError('Give a number of at least 1.');
  return number;
}
