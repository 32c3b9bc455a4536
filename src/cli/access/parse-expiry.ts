import { TrellisError } from '../../model/error.js';

const units: ReadonlyMap<string, number> = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);

export function parseExpiry(given: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([a-z])$/.exec(given) ?? [];
  const step = units.get(unit);
  const time =
    count !== undefined && step !== undefined
      ? now + Number(count) * step
      : /^\d{4}-\d{2}-\d{2}(T.+)?$/.test(given)
        ? Date.parse(given)
        : Number.NaN;
  if (Number.isNaN(time)) {
    throw new TrellisError('USAGE', `--expires is ${JSON.stringify(given)}, which is not a valid time.`, {
      hint: 'Give 90m, 12h, 30d or 8w from now, or a date like 2027-01-31 or 2027-01-31T12:00:00Z.',
    });
  }
  if (time <= now) {
    throw new TrellisError('USAGE', `The expiry time ${new Date(time).toISOString()} is in the past.`, {
      hint: 'Give a time in the future.',
    });
  }
  return time;
}
