import { invalidValue, type ParsedValue } from './parsed-value.js';

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const timeForm =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))$/;

export function parseDate(value: string): ParsedValue {
  const parts = dateForm.exec(value);
  if (parts === null) return invalidValue('write a date as YYYY-MM-DD');
  const [, year, month, day] = parts;
  const isReal = startOfDay(Number(year), Number(month), Number(day)) !== undefined;
  return isReal ? { value } : invalidValue('this date does not exist');
}

/** The time in UTC, truncated to milliseconds. */
export function parseDateTime(value: string): ParsedValue {
  const parts = timeForm.exec(value);
  if (parts === null)
    return invalidValue('write a time as YYYY-MM-DDTHH:MM:SS with Z or an offset such as +02:00');
  const [, year, month, date, hour, minute, second = '0', fraction = '', sign, ahead = '0', past = '0'] =
    parts;
  const day = startOfDay(Number(year), Number(month), Number(date));
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const isTime = hours <= 23 && minutes <= 59 && seconds <= 59 && Number(ahead) <= 23 && Number(past) <= 59;
  if (day === undefined || !isTime) return invalidValue('this time does not exist');
  const offset = (sign === '-' ? -1 : 1) * (Number(ahead) * 60 + Number(past));
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const moment = new Date(day + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000 + milliseconds);
  const utcYear = moment.getUTCFullYear();
  return utcYear < 1 || utcYear > 9999
    ? invalidValue('this time does not exist')
    : { value: moment.toISOString() };
}

const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** In milliseconds: the calendar repeats itself after 400 years. */
const fourHundredYears = 146_097 * 86_400_000;

/** In milliseconds; undefined if the date does not exist. Databases do not take years before 1. */
function startOfDay(year: number, month: number, day: number): number | undefined {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && isLeap ? 29 : (daysOfMonths[month - 1] ?? 0);
  if (year < 1 || day < 1 || day > days) return undefined;
  // Date.UTC reads years up to 99 as 1900 to 1999.
  return Date.UTC(year + 400, month - 1, day) - fourHundredYears;
}
