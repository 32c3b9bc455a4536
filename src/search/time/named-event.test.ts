import { describe, expect, test } from 'vitest';
import { eventNamedIn } from './named-event.js';

describe('an event in a query', () => {
  test.each([
    ['What did Ann buy before the move?', 'before', 'the move'],
    ['After the move to Bonn, what did Ann buy?', 'after', 'the move to Bonn'],
    ['After the move what did Ann buy', 'after', 'the move'],
    ['what has changed since Ben joined the team', 'after', 'Ben joined the team'],
    ['Where did she live until her wedding (the second)?', 'before', 'her wedding'],
    ['What did Ann buy prior to the move', 'before', 'the move'],
    ['before before BEFORE the move', 'before', 'the move'],
    ['Have we met before? I mean after the fair', 'after', 'the fair'],
    ['what was before a b c d e f g h i j k l m n', 'before', 'a b c d e f g h i j k l'],
    ['was vor before Größe', 'before', 'Größe'],
  ])('%s', (query, relation, phrase) => {
    expect(eventNamedIn(query)).toEqual({ relation, phrase });
  });

  test.each([
    '',
    'Have I used it before?',
    'before after since until',
    'since it was that',
    'beforehand she aftered',
    'When did Ann move?',
    'What did Ann see during the parade?',
    'before 🙂, after …',
  ])('there is none in: %s', (query) => {
    expect(eventNamedIn(query)).toBeUndefined();
  });
});
