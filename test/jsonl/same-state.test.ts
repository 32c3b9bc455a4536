import { readFile, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { times } from '../helpers/full.js';
import { entity, linesOf, type OpenFile, openFile, scratchFile } from './scratch-file.js';

const name = fc.constantFrom('A', 'B', 'C', 'D', '__proto__');
const type = fc.constantFrom('t', 'u');
const text = fc.constantFrom('x', 'y', 'größe 🜁', '"\\\n');

/** Something that happens to the file through one of the stores. */
const step = fc.oneof(
  fc.tuple(name, type, fc.array(text)).map(
    ([node, nodeType, observations]) =>
      (file: OpenFile) =>
        file.create({ name: node, type: nodeType, observations }),
  ),
  fc.tuple(name, name, type).map((edge) => (file: OpenFile) => file.relate(...edge)),
  fc.tuple(name, text).map(
    ([node, fact]) =>
      (file: OpenFile) =>
        file.observe(node, fact).catch(() => 'no such entity'),
  ),
  fc.tuple(name, text).map((fact) => (file: OpenFile) => file.forget(...fact)),
  name.map((node) => (file: OpenFile) => file.remove(node)),
  fc.tuple(name, name, type).map((edge) => (file: OpenFile) => file.unrelate(...edge)),
  fc.tuple(name, type, fc.array(text)).map(
    ([node, nodeType, facts]) =>
      (file: OpenFile) =>
        file.update({ name: node, type: nodeType, facts }).catch(() => 'no such node'),
  ),
  fc.tuple(name, name, type, name, type, fc.constantFrom(0, 0.5, 1)).map(
    ([from, to, edgeType, newTo, newType, weight]) =>
      (file: OpenFile) =>
        file.move({ from, to, type: edgeType, newTo, newType, weight }).catch(() => 'no such edge'),
  ),
);

const junk = fc.array(fc.constantFrom('junk', '{"type":"x"}', '[]', '{"type":"entity","name":1}'), {
  maxLength: 3,
});

/** Entities to begin with; a name may stand on several lines. */
const entities = fc.array(
  fc.tuple(name, fc.array(text)).map(([node, texts]) => entity(node, ...texts)),
  { maxLength: 6 },
);

test('whatever two stores do to one file, both and a third that reads it anew agree, and unreadable lines survive', async () => {
  await fc.assert(
    fc.asyncProperty(
      entities,
      junk,
      fc.array(fc.array(fc.tuple(fc.boolean(), step), { maxLength: 4 }), { maxLength: 8 }),
      async (known, bad, rounds) => {
        const path = await scratchFile(...known, ...bad);
        const [first, second] = [await openFile(path), await openFile(path)];
        for (const round of rounds) {
          // The steps of a round are under way at once.
          await Promise.all(round.map(([which, run]) => run(which ? first : second)));
          const seen = await first.details();
          expect(await second.details()).toEqual(seen);
          const third = await openFile(path);
          expect(await third.details()).toEqual(seen);
          await third.store.close();
        }
        if (bad.length > 0) expect((await linesOf(path)).slice(-bad.length)).toEqual(bad);
        await Promise.all([first.store.close(), second.store.close()]);
      },
    ),
    { numRuns: times(8, 40) },
  );
});

test('opening and saving a file that Trellis wrote changes no other byte of it', async () => {
  await fc.assert(
    fc.asyncProperty(
      junk,
      fc.array(step, { maxLength: 10 }),
      fc.constantFrom('memory' as const, 'mesh' as const),
      async (bad, steps, newFileFormat) => {
        const path = await scratchFile(...bad);
        const file = await openFile(path, { newFileFormat });
        for (const run of steps) await run(file);
        await file.create('Z');
        const before = await readFile(path);
        const again = await openFile(path);
        await again.create({ name: 'new', type: 'new' });
        await again.remove('new');
        expect(await readFile(path)).toEqual(before);
        await Promise.all([file.store.close(), again.store.close()]);
      },
    ),
    { numRuns: times(8, 40) },
  );
});

test('whatever another program makes of the file, the store reads it as one that opens it anew does', async () => {
  const record = fc.oneof(
    fc
      .tuple(name, type, fc.array(text))
      .map(([node, entityType, observations]) => ({ type: 'entity', name: node, entityType, observations })),
    fc
      .tuple(name, name, type)
      .map(([from, to, relationType]) => ({ type: 'relation', from, to, relationType })),
    fc
      .tuple(name, name, type)
      .map(([from, to, edgeType]) => ({ type: 'edge', from, to, edgeType, weight: 0.5 })),
  );
  const content = fc
    .array(record)
    .map((records) => records.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 2, maxLength: 6 }), async (contents) => {
      const path = await scratchFile();
      const file = await openFile(path);
      for (const bytes of contents) {
        await writeFile(path, bytes);
        const fresh = await openFile(path);
        expect(await file.details()).toEqual(await fresh.details());
        await fresh.store.close();
      }
      await file.store.close();
    }),
    { numRuns: times(12, 60) },
  );
});

test('a line that gets a type its name had once before keeps its place', async () => {
  const line = (node: string, entityType: string) =>
    `${JSON.stringify({ type: 'entity', name: node, entityType, observations: [] })}\n`;
  const path = await scratchFile();
  const file = await openFile(path);
  for (const bytes of [
    line('B', 't'),
    '',
    line('B', 'u') + line('D', 't'),
    line('B', 't') + line('D', 't'),
  ]) {
    await writeFile(path, bytes);
    await file.details();
  }
  const fresh = await openFile(path);
  expect(await file.details()).toEqual(await fresh.details());
  await fresh.store.close();
  await file.store.close();
});
