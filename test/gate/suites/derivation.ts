import { describe, expect, test } from 'vitest';
import { edgesOf, knows, nodeNamed, person } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import { useGate } from '../use-gate.js';

const sure = { extraction_method: 'api', reliability: 1 };
const at = (reliability: number) => ({ extraction_method: 'api', reliability });

export function derivation(kind: GateKind): void {
  describe(`what a fact was derived from, on ${kind.kind}`, () => {
    const context = useGate(kind);
    const stampOf = async (name: string) => (await nodeNamed(context.ground, name)).provenance;

    test('a fact is at most as certain as the least certain of its sources', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', {}, at(0.8)));
      await gate.writeNode(person('Bob', {}, at(0.4)));
      const derived_from = ['Ada', 'Bob'];
      const written = await gate.writeNode(person('Cid', { age: 1 }, { ...sure, derived_from }));
      expect(written).toMatchObject({ status: 'written', confidence: 0.4 });
      expect(await stampOf('Cid')).toMatchObject({
        ...{ confidence: 0.4, derived_from },
        properties: { age: { confidence: 0.4, derived_from } },
      });
    });

    test('a fact that is less certain than its sources stays so', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', {}, at(0.8)));
      const written = await gate.writeNode(person('Cid', {}, { ...at(0.2), derived_from: ['Ada'] }));
      expect(written).toMatchObject({ confidence: 0.2 });
    });

    test('the least certain property of a source counts', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', { age: 36 }, at(0.3)));
      await gate.writeNode(person('Ada', { email: 'a@b.c' }, at(0.9)));
      expect(await gate.writeNode(person('Cid', {}, { ...sure, derived_from: ['Ada'] }))).toMatchObject({
        confidence: 0.3,
      });
    });

    test('a relationship can be derived too, and its stubs with it', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', {}, at(0.4)));
      const more = { ...sure, derived_from: ['Ada'], endpoint_policy: 'merge_endpoints' };
      expect(await gate.writeRelationship(knows('Ada', 'Dan', more))).toMatchObject({ confidence: 0.4 });
      const [edge] = await edgesOf(context.ground);
      expect(edge?.provenance).toMatchObject({ confidence: 0.4, derived_from: ['Ada'] });
      expect(await stampOf('Dan')).toMatchObject({ confidence: 0.4, derived_from: ['Ada'] });
    });

    test('unknown sources are rejected, all of them, and nothing is written', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', {}, sure));
      const answer = await gate.writeNode(
        person('Cid', {}, { ...sure, derived_from: ['Nobody', 'Ada', '01ARZ3NDEKTSV4RRFFQ69G5FAV'] }),
      );
      expect(answer).toMatchObject({ status: 'rejected', error_code: 'INVALID_ARGUMENT' });
      expect(answer['details']).toMatchObject({
        unknown: [{ reference: 'Nobody' }, { reference: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
      });
      await expect(nodeNamed(context.ground, 'Cid')).rejects.toThrow();
    });

    test('a name that several labels have is rejected with both, and Label:name means one', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', {}, at(0.8)));
      await gate.writeNode({ ...person('Ada', {}, at(0.4)), label: 'Thing' });
      const answer = await gate.writeNode(person('Cid', {}, { ...sure, derived_from: ['Ada'] }));
      expect(answer['details']).toEqual({
        unknown: [{ reference: 'Ada', suggestions: ['Person:Ada', 'Thing:Ada'] }],
      });
      const named = { ...sure, derived_from: ['Thing:Ada'] };
      expect(await gate.writeNode(person('Cid', {}, named))).toMatchObject({ confidence: 0.4 });
      expect(await stampOf('Cid')).toMatchObject({ derived_from: ['Thing:Ada'] });
    });

    test('corroboration does not lift a fact above its sources', async () => {
      const gate = await context.open({ formula: 'corroborate' });
      await gate.writeNode(person('Ada', {}, at(0.5)));
      await gate.writeNode(person('Cid', { age: 1 }, { ...at(0.4), source: 'one' }));
      await gate.writeNode(person('Cid', { age: 1 }, { ...at(0.4), source: 'two', derived_from: ['Ada'] }));
      expect((await stampOf('Cid'))?.properties?.['age']).toMatchObject({ confidence: 0.5, source: 'two' });
    });

    test('a later write without sources has none; what it left unchanged keeps its own', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', {}, at(0.4)));
      await gate.writeNode(person('Cid', { age: 1 }, { ...sure, derived_from: ['Ada'] }));
      await gate.writeNode(person('Cid', { email: 'c@d.e' }, sure));
      const stamp = await stampOf('Cid');
      expect(stamp).not.toHaveProperty('derived_from');
      expect(stamp?.properties?.['age']).toMatchObject({ confidence: 0.4, derived_from: ['Ada'] });
      expect(stamp?.properties?.['email']).not.toHaveProperty('derived_from');
    });

    test('a write that is repeated keeps its sources and its stamp', async () => {
      await context.gate.writeNode(person('Ada'));
      const again = person('Bob', { age: 1 }, { derived_from: ['Ada'] });
      for (let times = 0; times < 3; times++) await context.gate.writeNode(again);
      expect((await nodeNamed(context.ground, 'Bob')).provenance).toMatchObject({
        ...{ derived_from: ['Ada'], source: 'test', extraction_method: 'manual', confidence: 0.675 },
      });
    });

    test('facts derived from each other do no harm', async () => {
      const { gate } = context;
      await gate.writeNode(person('Ada', {}, at(0.8)));
      await gate.writeNode(person('Bob', {}, { ...at(0.9), derived_from: ['Ada'] }));
      const again = await gate.writeNode(person('Ada', {}, { ...sure, derived_from: ['Bob', 'Ada'] }));
      expect(again).toMatchObject({ status: 'written', confidence: 0.8 });
    });

    test.each([
      ['no list', 'Ada'],
      ['a number in it', [1]],
      ['an empty text in it', ['']],
      ['too many', Array.from({ length: 101 }, (_, index) => `n${index}`)],
    ])('%s is rejected', async (_, derived_from) => {
      expect(await context.gate.writeNode(person('Cid', {}, { derived_from }))).toMatchObject({
        error_code: 'INVALID_ARGUMENT',
      });
    });

    test('derived_from is no property', async () => {
      const answer = await context.gate.writeNode(person('Cid', { derived_from: ['Ada'] }));
      expect(answer).toMatchObject({ error_code: 'SCHEMA_PROTECTED_FIELD' });
    });
  });
}
