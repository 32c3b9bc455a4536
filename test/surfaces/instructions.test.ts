import { describe, expect, test } from 'vitest';
import { estimateTokens } from '../../src/brief/estimate-tokens.js';
import { serverSurface } from '../../src/surfaces/graph/server-surface.js';
import { surfaceNames } from '../../src/surfaces/surface-registry.js';
import { surfaceOn } from '../helpers/surfaces.js';

const surfaces = await Promise.all(surfaceNames.map((name) => surfaceOn(name)));

describe.each([...surfaces, serverSurface])('the instructions of $name', ({ instructions }) => {
  test('are under 1,500 characters and about 375 tokens, since every conversation carries them', () => {
    expect(instructions.length).toBeLessThan(1_500);
    expect(estimateTokens(instructions)).toBeLessThan(375);
  });
});

describe.each(surfaces)('the instructions of $name', ({ name, instructions }) => {
  test.skipIf(name === 'gate')('say when to search', () => {
    expect(instructions).toMatch(/^(Search when|Read before)/m);
  });
  test('say when to write', () => expect(instructions).toMatch(/^Write when/m));
  test('say what not to store', () => expect(instructions).toMatch(/^Do not (store|write) passwords/m));
});
