import { invalidValue, type ParsedValue } from './parsed-value.js';

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const timeForm =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/;

/** `2026-02-28`, if there is such a day. */
export function parseDate(value: string): ParsedValue {
  const parts = dateForm.exec(value);
  if (parts === null) return invalidValue('a date is written YYYY-MM-DD');
  const [, year, month, day] = parts;
  const isReal = startOfDay(Number(year), Number(month), Number(day)) !== undefined;
  return isReal ? { value } : invalidValue('there is no such day');
}

/** The moment in UTC with milliseconds; what is finer is cut off. */
export function parseDateTime(value: string): ParsedValue {
  const parts = timeForm.exec(value);
  if (parts === null)
    return invalidValue('a time is written YYYY-MM-DDTHH:MM:SS with Z or an offset such as +02:00');
  const [, year, month, date, hour, minute, second = '0', fraction = '', sign, ahead = '0', past = '0'] =
    parts;
  const day = startOfDay(Number(year), Number(month), Number(date));
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const isTime = hours <= 23 && minutes <= 59 && seconds <= 59 && Number(ahead) <= 23 && Number(past) <= 59;
  if (day === undefined || !isTime) return invalidValue('there is no such moment');
  const offset = (sign === '-' ? -1 : 1) * (Number(ahead) * 60 + Number(past));
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const moment = new Date(day + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000 + milliseconds);
  const utcYear = moment.getUTCFullYear();
  return utcYear < 1 || utcYear > 9999
    ? invalidValue('there is no such moment')
    : { value: moment.toISOString() };
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The calendar repeats itself after 400 years, which are so many milliseconds. */
const fourHundredYears = 146_097 * 86_400_000;

/** The start of a day, in milliseconds; undefined if the calendar has no such day. Years before 1 are not for databases. */
function startOfDay(year: number, month: number, day: number): number | undefined {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
  if (year < 1 || day < 1 || day > days) return undefined;
  // Date.UTC takes the years up to 99 for those of the twentieth century.
  return Date.UTC(year + 400, month - 1, day) - fourHundredYears;
}
