import { describe, expect, test } from 'vitest';
import type { State } from './batch.js';
import { Inconsistent, Ledger } from './ledger.js';

const nothing: State = { entities: [], relations: [] };

function twoEntities(id: string): State {
  const entities = ['a', 'b'].map((letter) => ({
    name: `${id}/${letter}`,
    entityType: 't',
    observations: [],
  }));
  return { entities, relations: [] };
}

describe('what the crash tests take for damage', () => {
  test('an acknowledged write that is not there', () => {
    const ledger = new Ledger();
    const batch = ledger.newBatch('w');
    batch.sent(twoEntities(batch.id));
    batch.acknowledged();
    expect(() => ledger.check(nothing)).toThrow(Inconsistent);
  });

  test('half of a write that was in flight, though all of it or none is right', () => {
    const ledger = new Ledger();
    const batch = ledger.newBatch('w');
    const after = twoEntities(batch.id);
    batch.sent(after);
    ledger.check(after);
    ledger.check(nothing);
    expect(() => ledger.check({ ...after, entities: after.entities.slice(0, 1) })).toThrow(Inconsistent);
  });

  test('a write that was gone after one crash and is back after the next', () => {
    const ledger = new Ledger();
    const batch = ledger.newBatch('w');
    const after = twoEntities(batch.id);
    batch.sent(after);
    ledger.recover(nothing);
    expect(() => ledger.recover(after)).toThrow(Inconsistent);
  });

  test('a state older than what was acknowledged when the read began', () => {
    const ledger = new Ledger();
    const batch = ledger.newBatch('w');
    const early = ledger.mark();
    batch.sent(twoEntities(batch.id));
    batch.acknowledged();
    ledger.check(nothing, early);
    expect(() => ledger.check(nothing, ledger.mark())).toThrow(Inconsistent);
  });
});
