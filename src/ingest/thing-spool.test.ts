import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextSpool } from './text-spool.js';
import { ThingSpool } from './thing-spool.js';

test('a spool gives back what is longer than its memory, in order', () => {
  const spool = new TextSpool();
  const texts = Array.from({ length: 40_000 }, (_, index) => `${index} ${'ä€😀'.repeat(index % 30)}`);
  try {
    for (const text of texts) spool.push(text);
    expect([...spool]).toEqual(texts);
    expect([...spool]).toEqual(texts);
  } finally {
    spool.dispose();
  }
});

test('a spool gives back lines that are longer than what it reads at a time', () => {
  const spool = new TextSpool();
  const texts = [70_000, 3, 65_535, 65_536, 300_000, 0, 1].map((length) => 'é'.repeat(length));
  try {
    for (const text of texts) spool.push(text);
    expect([...spool]).toEqual(texts);
  } finally {
    spool.dispose();
  }
});

const things = fc.array(
  fc.record({ line: fc.nat(), type: fc.constantFrom('a', 'b'), name: fc.nat({ max: 5 }) }),
);

test('each thing comes once, at its first line, with what later lines say', () => {
  fc.assert(
    fc.property(things, (list) => {
      const spool = new ThingSpool<(typeof list)[number]>({
        keyOf: ({ type, name }) => `${type} ${name}`,
        merge: (earlier, later) => ({ ...later, line: earlier.line + later.line }),
      });
      const wanted = new Map<string, (typeof list)[number]>();
      for (const thing of list) {
        spool.put(thing);
        const key = `${thing.type} ${thing.name}`;
        wanted.set(key, { ...thing, line: (wanted.get(key)?.line ?? 0) + thing.line });
      }
      expect([...spool]).toEqual([...wanted.values()]);
      expect(spool.size).toBe(wanted.size);
      for (const [key, thing] of wanted) expect(spool.find(key)).toEqual(thing);
      expect(spool.find('c 1')).toBeUndefined();
    }),
  );
});
