/** From its first millisecond up to, but without, its last; either end may be infinite. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

interface TimeRule {
  readonly pattern: RegExp;
  /** Undefined for a date that does not exist. */
  readonly span: (match: readonly string[], now: Date) => TimeSpan | undefined;
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const dayNames = 'sun mon tue wed thu fri sat'.split(' ');
const seasonNames = ['winter', 'spring', 'summer', 'autumn'];
const numberNames = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const year = '((?:1[5-9]|20)\\d\\d)';
const weekday = '(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?';
const count = `(\\d{1,4}|an?|${numberNames.join('|')})`;

const rule = (pattern: string, span: TimeRule['span']): TimeRule => ({
  pattern: new RegExp(`\\b${pattern}\\b`, 'gi'),
  span,
});

/** In this order: what one has matched, those after it do not see. */
const rules: readonly TimeRule[] = [
  rule(`${year}-(\\d\\d)-(\\d\\d)`, ([, y, m, d]) => dayOf(Number(y), Number(m) - 1, Number(d))),
  rule(`${day}(?: of)? ${month},? ${year}`, ([, d, m, y]) => dayOf(Number(y), monthOf(m), Number(d))),
  rule(`${month} ${day},? ${year}`, ([, m, d, y]) => dayOf(Number(y), monthOf(m), Number(d))),
  rule(`${month}(?:,| of)? ${year}`, ([, m, y]) => months(Number(y), monthOf(m), 1)),
  rule(`(?:in|of|since|before|after|by|during|until|from|year) ${year}`, ([, y]) => months(Number(y), 0, 12)),
  rule(`${day}(?: of)? ${month}`, ([, d, m], now) => latestDay(now, monthOf(m), Number(d))),
  rule(`${month} ${day}`, ([, m, d], now) => latestDay(now, monthOf(m), Number(d))),
  // Not "this": "this may" is rarely a month.
  rule(`(in|last|before|after|since|during|until|by|early|late|mid) ${month}`, ([, word, m], now) =>
    latestMonths(now, monthOf(m), 1, isLast(word)),
  ),
  rule('(?:today|tonight|this (?:morning|afternoon|evening))', (_, now) => days(now, 0, 1)),
  rule('yesterday', (_, now) => days(now, -1, 1)),
  rule(`${count} (day|week|month|year)s? ago`, ([, n, unit], now) => unitBefore(now, numberOf(n), unit)),
  rule('(?:last|past|previous) (week|month|year)', ([, unit], now) => unitBefore(now, 1, unit)),
  rule('this (week|month|year)', ([, unit], now) => unitBefore(now, 0, unit)),
  rule(`last ${weekday}`, ([, name], now) => {
    const back = (now.getUTCDay() - dayNames.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 6) % 7;
    return days(now, -back - 1, 1);
  }),
  // Of the northern half; winter begins in December.
  rule('(last|this) (winter|spring|summer|autumn|fall)', ([, word, name = ''], now) => {
    const season = seasonNames.indexOf(name.toLowerCase().replace('fall', 'autumn'));
    return latestMonths(now, season * 3 - 1, 3, isLast(word));
  }),
];

const beforeIt = /\b(?:before|until|prior to)(?: the)? *$/i;
const afterIt = /\b(?:after|since)(?: the)? *$/i;
const ownWord = /^(?:in|of|since|before|after|by|during|until|from) /i;

/** Dates and times that an English text mentions, in UTC; relative ones, such as `yesterday`, count from `now`. */
export function timeSpansIn(text: string, now: number): TimeSpan[] {
  if (!mayMentionTime.test(text)) return [];
  const today = new Date(now);
  const found: TimeSpan[] = [];
  let rest = text;
  for (const { pattern, span } of rules) {
    for (const match of rest.matchAll(pattern)) {
      const mentioned = span(match, today);
      const lead =
        rest.slice(Math.max(0, match.index - 20), match.index) + (ownWord.exec(match[0])?.[0] ?? '');
      if (mentioned !== undefined) found.push(directed(mentioned, lead));
    }
    rest = rest.replace(pattern, ';');
  }
  return found;
}

/** Cheap, and true of every text that a rule matches. */
const mayMentionTime =
  /\d{4}|day|ago|last|past|previous|this|tonight|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

function directed(span: TimeSpan, lead: string): TimeSpan {
  if (beforeIt.test(lead)) return relatedSpan(span, 'before');
  return afterIt.test(lead) ? relatedSpan(span, 'after') : span;
}

export type TimeRelation = 'before' | 'after';

/** All time before a span, or from its beginning on. */
export function relatedSpan({ from }: TimeSpan, relation: TimeRelation): TimeSpan {
  return relation === 'before'
    ? { from: Number.NEGATIVE_INFINITY, to: from }
    : { from, to: Number.POSITIVE_INFINITY };
}

export function dayOfTime(time: number): TimeSpan {
  return days(new Date(time), 0, 1);
}

function isLast(word = ''): boolean {
  return word.toLowerCase() === 'last';
}

function monthOf(name = ''): number {
  return monthNames.indexOf(name.slice(0, 3).toLowerCase());
}

function numberOf(name = ''): number {
  const named = numberNames.indexOf(name.toLowerCase());
  return named >= 0 ? named : /^an?$/i.test(name) ? 1 : Number(name);
}

function dayOf(y: number, m: number, d: number): TimeSpan | undefined {
  const from = Date.UTC(y, m, d);
  return new Date(from).getUTCDate() === d ? { from, to: Date.UTC(y, m, d + 1) } : undefined;
}

function months(y: number, first: number, length: number): TimeSpan {
  return { from: monthStart(y, first), to: monthStart(y, first + length) };
}

/** Unlike `Date.UTC`, which reads the years up to 99 as 1900 to 1999. */
function monthStart(y: number, m: number): number {
  return new Date(0).setUTCFullYear(y, m, 1);
}

function days(now: Date, offset: number, length: number): TimeSpan {
  const first = (shift: number) =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + offset + shift);
  return { from: first(0), to: first(length) };
}

/** The day in this year, or in the last one if it is still to come. */
function latestDay(now: Date, m: number, d: number): TimeSpan | undefined {
  const thisYear = dayOf(now.getUTCFullYear(), m, d);
  if (thisYear !== undefined && thisYear.from <= now.getTime()) return thisYear;
  return dayOf(now.getUTCFullYear() - 1, m, d);
}

function unitBefore(now: Date, count: number, unit = 'day'): TimeSpan {
  const [y, m] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (unit.toLowerCase()) {
    case 'year':
      return months(y - count, 0, 12);
    case 'month':
      return months(y, m - count, 1);
    case 'week':
      return days(now, -((now.getUTCDay() + 6) % 7) - 7 * count, 7);
    default:
      return days(now, -count, 1);
  }
}

/** The last ones that have begun, or that are over. */
function latestMonths(now: Date, first: number, length: number, over: boolean): TimeSpan {
  const thisYear = months(now.getUTCFullYear(), first, length);
  const known = (over ? thisYear.to : thisYear.from) <= now.getTime();
  return known ? thisYear : months(now.getUTCFullYear() - 1, first, length);
}
