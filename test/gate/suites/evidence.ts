import { describe, expect, test } from 'vitest';
import { DecayFormulaProvider } from '../../../src/gate/formula/decay-formula.js';
import { nodeNamed, person } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import { useGate } from '../use-gate.js';

const registry = { source: 'registry', extraction_method: 'api', reliability: 0.5 };
const census = { source: 'census', extraction_method: 'api', reliability: 0.5 };

export function evidence(kind: GateKind): void {
  describe(`formulas that look at what is stored, on ${kind.kind}`, () => {
    const context = useGate(kind);
    const confidenceOfAge = async () =>
      (await nodeNamed(context.ground, 'Alice')).provenance?.properties?.['age']?.confidence;

    test('corroborate: a second source that agrees raises the confidence of that property', async () => {
      const gate = await context.open({ formula: 'corroborate' });
      await gate.writeNode(person('Alice', { age: 30 }, registry));
      expect(await confidenceOfAge()).toBe(0.5);
      expect(await gate.writeNode(person('Alice', { age: 30, city: 'Ulm' }, census))).toMatchObject({
        status: 'written',
        confidence: 0.5,
      });
      expect(await confidenceOfAge()).toBe(0.75);
      const { provenance } = await nodeNamed(context.ground, 'Alice');
      expect(provenance?.properties?.['city']).toMatchObject({ confidence: 0.5 });
    });

    test('corroborate: a source that repeats itself, or disagrees, raises nothing', async () => {
      const gate = await context.open({ formula: 'corroborate' });
      await gate.writeNode(person('Alice', { age: 30 }, registry));
      await gate.writeNode(person('Alice', { age: 30 }, registry));
      expect(await confidenceOfAge()).toBe(0.5);
      await gate.writeNode(person('Alice', { age: 31 }, census));
      expect(await confidenceOfAge()).toBe(0.5);
    });

    test('corroborate: sources that take turns count once each', async () => {
      const gate = await context.open({ formula: 'corroborate' });
      for (const source of [registry, census, registry, census, registry])
        await gate.writeNode(person('Alice', { age: 30 }, source));
      expect(await confidenceOfAge()).toBe(0.75);
      const { provenance } = await nodeNamed(context.ground, 'Alice');
      expect(provenance?.properties?.['age']).toMatchObject({ source: 'registry', confirmed_by: ['census'] });
      await gate.writeNode(person('Alice', { age: 30 }, { ...census, source: 'interview' }));
      expect(await confidenceOfAge()).toBe(0.875);
    });

    test('corroborate: what confirmed another value confirms nothing of this one', async () => {
      const gate = await context.open({ formula: 'corroborate' });
      await gate.writeNode(person('Alice', { age: 30 }, registry));
      await gate.writeNode(person('Alice', { age: 30 }, census));
      await gate.writeNode(person('Alice', { age: 31 }, registry));
      expect(await confidenceOfAge()).toBe(0.5);
      await gate.writeNode(person('Alice', { age: 31 }, census));
      expect(await confidenceOfAge()).toBe(0.75);
    });

    test('corroborate: hundreds of sources raise it to 1 at most, and at most 100 are kept', async () => {
      const gate = await context.open({ formula: 'corroborate' });
      const weak = { extraction_method: 'api', reliability: 0.001 };
      for (let n = 0; n < 105; n++)
        await gate.writeNode(person('Alice', { age: 30 }, { ...weak, source: `source ${n}` }));
      const { provenance } = await nodeNamed(context.ground, 'Alice');
      const { confidence = 0, confirmed_by = [] } = provenance?.properties?.['age'] ?? {};
      expect(confidence).toBeCloseTo(1 - 0.999 ** 101, 10);
      expect(confirmed_by).toHaveLength(100);
      await gate.writeNode(person('Alice', { age: 30 }, { ...weak, source: 'one more' }));
      expect(await confidenceOfAge()).toBe(confidence);
    });

    test('a formula with two parameters is asked once, and gets no evidence', async () => {
      const gate = await context.open({ formula: 'default' });
      await gate.writeNode(person('Alice', { age: 30 }, registry));
      await gate.writeNode(person('Alice', { age: 30 }, census));
      expect(await confidenceOfAge()).toBe(0.5);
    });

    test('decay: what is stored now is worth its confidence, so a weaker value still conflicts', async () => {
      const gate = await context.open({ formula: 'decay', conflicts: 'reject' });
      await gate.writeNode(person('Alice', { age: 30 }, { ...registry, reliability: 1 }));
      expect(await gate.writeNode(person('Alice', { age: 31 }, registry))).toMatchObject({
        status: 'rejected',
        error_code: 'CONFLICT_HIGHER_CONFIDENCE',
      });
    });
  });
}

export function halfLives(): void {
  const day = 24 * 60 * 60 * 1000;
  test.each([...DecayFormulaProvider.halfLifeDays])('decay: %s halves in %d days', (method, days) => {
    const formula = new DecayFormulaProvider();
    expect(formula.age(0.8, method, 0)).toBe(0.8);
    expect(formula.age(0.8, method, days * day)).toBeCloseTo(0.4, 10);
    expect(formula.age(0.8, method, 2 * days * day)).toBeCloseTo(0.2, 10);
  });

  test('decay: a method it does not know does not age', () => {
    expect(new DecayFormulaProvider().age(0.8, undefined, 1000 * day)).toBe(0.8);
  });
}
