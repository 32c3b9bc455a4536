import { describe, expect, test } from 'vitest';
import { timeSpansIn } from './time-spans.js';

/** A Wednesday. */
const now = Date.UTC(2024, 5, 12, 15);
const iso = (time: number) => (Number.isFinite(time) ? new Date(time).toISOString().slice(0, 10) : '…');
const spans = (text: string) => timeSpansIn(text, now).map(({ from, to }) => `${iso(from)} ${iso(to)}`);

describe('times in a text', () => {
  test.each([
    ['on 8 May 2023', '2023-05-08 2023-05-09'],
    ['on the 1st of August, 2022', '2022-08-01 2022-08-02'],
    ['May 8th, 2023', '2023-05-08 2023-05-09'],
    ['due 2023-05-08', '2023-05-08 2023-05-09'],
    ['in December 2023', '2023-12-01 2024-01-01'],
    ['in 2021', '2021-01-01 2022-01-01'],
    ['on July 4', '2023-07-04 2023-07-05'],
    ['on 4 March', '2024-03-04 2024-03-05'],
    ['last May', '2024-05-01 2024-06-01'],
    ['last June', '2023-06-01 2023-07-01'],
    ['in June', '2024-06-01 2024-07-01'],
    ['in October', '2023-10-01 2023-11-01'],
    ['today', '2024-06-12 2024-06-13'],
    ['yesterday', '2024-06-11 2024-06-12'],
    ['3 days ago', '2024-06-09 2024-06-10'],
    ['two weeks ago', '2024-05-27 2024-06-03'],
    ['a month ago', '2024-05-01 2024-06-01'],
    ['last year', '2023-01-01 2024-01-01'],
    ['1950 years ago', '0074-01-01 0075-01-01'],
    ['this week', '2024-06-10 2024-06-17'],
    ['last Monday', '2024-06-10 2024-06-11'],
    ['last Wednesday', '2024-06-05 2024-06-06'],
    ['last summer', '2023-06-01 2023-09-01'],
    ['this summer', '2024-06-01 2024-09-01'],
    ['last winter', '2023-12-01 2024-03-01'],
    ['before 2021', '… 2021-01-01'],
    ['before May 2023', '… 2023-05-01'],
    ['since March', '2024-03-01 …'],
    ['after the 8th of May 2023', '2023-05-08 …'],
  ])('%s', (text, span) => {
    expect(spans(`What happened ${text}?`)).toEqual([span]);
  });

  test('of several each counts once', () => {
    expect(spans('from 8 May 2023 until June 2023')).toEqual(['2023-05-08 2023-05-09', '… 2023-06-01']);
  });

  test.each([
    'this may be wrong',
    'she may march 40 miles',
    'room 2021 costs 1999 dollars',
    'on 31 February 2023',
    'a secondary school, the last day of school',
    'before the move',
  ])('there is none in: %s', (text) => {
    expect(spans(text)).toEqual([]);
  });
});
