import { describe, expect, test } from 'vitest';

import { knows, nodeNamed, nodesOf, person } from '../gate-client.js';
import type { GateKind } from '../gate-kinds.js';
import { useGate } from '../use-gate.js';

const sure = { source: 'registry', extraction_method: 'api', reliability: 1 };
const unsure = { source: 'chat', extraction_method: 'llm', reliability: 0.5 };

export function conflicts(kind: GateKind): void {
  describe(`conflicts, on ${kind.kind}`, () => {
    const context = useGate(kind);

    test('a less certain value is written and reported by default, with both values and where they came from', async () => {
      await context.gate.writeNode(person('Alice', { age: 30 }, sure));
      expect(await context.gate.writeNode(person('Alice', { age: 31, city: 'Ulm' }, unsure))).toMatchObject({
        status: 'written',
        conflicts: [
          {
            property: 'age',
            stored: { value: 30, confidence: 1, source: 'registry', extraction_method: 'api' },
            incoming: { value: 31, confidence: 0.3, source: 'chat', extraction_method: 'llm' },
            kept: 'incoming',
          },
        ],
      });
      expect((await nodeNamed(context.ground, 'Alice')).props).toMatchObject({ age: 31, city: 'Ulm' });
    });

    test('under reject nothing of it is written', async () => {
      const gate = await context.open({ conflicts: 'reject' });
      await gate.writeNode(person('Alice', { age: 30 }, sure));
      const before = await nodesOf(context.ground);
      expect(await gate.writeNode(person('Alice', { age: null, city: 'Ulm' }, unsure))).toMatchObject({
        status: 'rejected',
        error_code: 'CONFLICT_HIGHER_CONFIDENCE',
        message: expect.stringMatching(/^A value of higher confidence is stored for age\. Omit it,/),
        details: { conflicts: [{ property: 'age', stored: { value: 30 }, incoming: { value: null } }] },
      });
      expect(await nodesOf(context.ground)).toEqual(before);
    });

    test('a rejection names every property that conflicts', async () => {
      const gate = await context.open({ conflicts: 'reject' });
      await gate.writeNode(person('Alice', { age: 30, city: 'Ulm' }, sure));
      const { message } = await gate.writeNode(person('Alice', { age: 31, city: 'Bonn' }, unsure));
      expect(message).toMatch(/^Values of higher confidence are stored for age, city\. Omit them,/);
    });

    test('under keep the rest is written and the more certain value stays', async () => {
      const gate = await context.open({ conflicts: 'keep' });
      await gate.writeNode(person('Alice', { age: 30 }, sure));
      expect(await gate.writeNode(person('Alice', { age: 31, city: 'Ulm' }, unsure))).toMatchObject({
        status: 'written',
        conflicts: [{ property: 'age', kept: 'stored' }],
      });
      const { props, provenance } = await nodeNamed(context.ground, 'Alice');
      expect(props).toMatchObject({ age: 30, city: 'Ulm' });
      expect(provenance?.properties).toMatchObject({ age: { source: 'registry' }, city: { source: 'chat' } });
    });

    test('a value that is at least as certain replaces the other without a word', async () => {
      await context.gate.writeNode(person('Alice', { age: 30 }, unsure));
      expect(await context.gate.writeNode(person('Alice', { age: 31 }, unsure))).not.toHaveProperty(
        'conflicts',
      );
      expect(await context.gate.writeNode(person('Alice', { age: 32 }, sure))).not.toHaveProperty(
        'conflicts',
      );
    });

    test('the confidence of a property is that of the write that set it, not of the last write to its node', async () => {
      await context.gate.writeNode(person('Alice', { age: 30 }, sure));
      await context.gate.writeNode(person('Alice', { city: 'Ulm' }, unsure));
      expect((await nodeNamed(context.ground, 'Alice')).provenance).toMatchObject({
        confidence: 0.3,
        properties: { age: { confidence: 1 }, city: { confidence: 0.3 } },
      });
      expect(await context.gate.writeNode(person('Alice', { city: 'Bonn' }, unsure))).not.toHaveProperty(
        'conflicts',
      );
      expect(await context.gate.writeNode(person('Alice', { age: 31 }, unsure))).toHaveProperty('conflicts');
    });

    test('repeating a value with less certainty does not make it less certain', async () => {
      await context.gate.writeNode(person('Alice', { langs: ['a', 'b'] }, sure));
      expect(await context.gate.writeNode(person('Alice', { langs: ['a', 'b'] }, unsure))).not.toHaveProperty(
        'conflicts',
      );
      expect(await context.gate.writeNode(person('Alice', { langs: [] }, unsure))).toMatchObject({
        conflicts: [{ property: 'langs', stored: { confidence: 1 } }],
      });
    });

    test('relationships have conflicts too', async () => {
      await context.gate.writeNode(person('Alice'));
      await context.gate.writeNode(person('Bob'));
      await context.gate.writeRelationship(knows('Alice', 'Bob', { ...sure, properties: { since: 2020 } }));
      expect(
        await context.gate.writeRelationship(
          knows('Alice', 'Bob', { ...unsure, properties: { since: 1999 } }),
        ),
      ).toMatchObject({ status: 'written', conflicts: [{ property: 'since', kept: 'incoming' }] });
    });

    test('what another surface wrote has no confidence, and so no conflict', async () => {
      await context.gate.writeNode(person('Alice', { age: 30 }, { ...sure, reliability: 0 }));
      expect(await context.gate.writeNode(person('Alice', { age: 31 }, unsure))).not.toHaveProperty(
        'conflicts',
      );
    });
  });
}

export function similarNodes(kind: GateKind): void {
  describe(`similar nodes, on ${kind.kind}`, () => {
    const context = useGate(kind);
    const similarTo = async (name: string, more: object = {}) =>
      (await context.gate.writeNode(person(name, {}, more)))['similar'];

    test.each([
      ['case', 'Alice Smith', 'alice smith'],
      ['spacing', 'AliceSmith', 'Alice Smith'],
      ['punctuation', 'Alice-Smith', 'Alice, Smith'],
      ['a letter', 'Katharina', 'Katherina'],
      ['a letter at the end', 'Alice', 'Alicee'],
      ['swapped letters', 'Margaret', 'Magraret'],
    ])('a key that differs in %s is pointed out, and nothing is merged', async (_, first, second) => {
      await context.gate.writeNode(person(first));
      expect(await similarTo(second)).toEqual([{ name: first, keys: { name: first } }]);
      expect(await nodesOf(context.ground)).toHaveLength(2);
    });

    test('another label, other digits and other words are not similar', async () => {
      await context.gate.writeNode(person('Invoice 17'));
      await context.gate.writeNode(person('Katharina', {}, { label: 'Thing' }));
      expect(await similarTo('Invoice 18')).toBeUndefined();
      expect(await similarTo('Katherina')).toBeUndefined();
      expect(await similarTo('Invader 17')).toBeUndefined();
    });

    test('only a new node asks for it, and at most three are named', async () => {
      for (const name of ['Katharina', 'Katherina', 'Kathorina', 'Kathurina'])
        await context.gate.writeNode(person(name));
      expect(await similarTo('Katharyna')).toHaveLength(3);
      expect(await similarTo('Katharyna')).toBeUndefined();
    });
  });
}
