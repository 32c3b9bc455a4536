import { type Parsed, refused } from './parsed.js';

const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const timeForm =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** `2026-02-28`, if there is such a day. */
export function parseDate(value: string): Parsed {
  if (!dateForm.test(value)) return refused('a date is written YYYY-MM-DD');
  return dayOf(value) === undefined ? refused('there is no such day') : { value };
}

/** The moment in UTC with milliseconds; what is finer is cut off. */
export function parseDateTime(value: string): Parsed {
  const [, date = '', hour, minute, second = '0', fraction = '', offset = ''] = timeForm.exec(value) ?? [];
  if (date === '') return refused('a time is written YYYY-MM-DDTHH:MM:SS with Z or an offset such as +02:00');
  const day = dayOf(date);
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const ahead = offsetMinutes(offset);
  if (day === undefined || hours > 23 || minutes > 59 || seconds > 59 || ahead === undefined)
    return refused('there is no such moment');
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3));
  const moment = new Date(day + ((hours * 60 + minutes - ahead) * 60 + seconds) * 1000 + milliseconds);
  const year = moment.getUTCFullYear();
  return year < 1 || year > 9999 ? refused('there is no such moment') : { value: moment.toISOString() };
}

/** The start of a day, in milliseconds; undefined if the calendar has no such day. */
function dayOf(date: string): number | undefined {
  const [, year, month, day] = dateForm.exec(date) ?? [];
  const start = Date.parse(`${date}T00:00:00.000Z`);
  // Some engines take the 30th of February for the 1st or 2nd of March.
  const isReal =
    !Number.isNaN(start) && new Date(start).toISOString().slice(0, 10) === `${year}-${month}-${day}`;
  return isReal && Number(year) > 0 ? start : undefined;
}

function offsetMinutes(offset: string): number | undefined {
  if (offset.toUpperCase() === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
