import { expect, test } from 'vitest';
import { RoundRobin } from './round-robin.js';

/** Serves all that wait, one after the other. */
function order(rotation: RoundRobin, waiting: string[], isAdmitted?: (item: string) => boolean): string {
  const served: string[] = [];
  for (;;) {
    const place = rotation.next(waiting, ownerOf, isAdmitted);
    if (place < 0) return served.join(' ');
    const [item = ''] = waiting.splice(place, 1);
    rotation.markServed(ownerOf(item));
    served.push(item);
  }
}

function ownerOf(item: string): string {
  return item.charAt(0);
}

test('trust 32: owners take turns, and each has its own in the order of asking', () => {
  expect(order(new RoundRobin(), ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])).toBe('a1 b1 c1 a2 b2 a3');
});

test('whoever was served last waits for those who were not', () => {
  const rotation = new RoundRobin();
  rotation.markServed('a');
  expect(order(rotation, ['a1', 'b1'])).toBe('b1 a1');
});

test('a single owner is served in the order of asking', () => {
  expect(order(new RoundRobin(), ['a1', 'a2', 'a3'])).toBe('a1 a2 a3');
});

test('those who are not admitted are passed over', () => {
  const waiting = ['a1', 'b1', 'a2'];
  expect(order(new RoundRobin(), waiting, (item) => item !== 'a1')).toBe('b1 a2');
  expect(waiting).toEqual(['a1']);
});
