import { beforeEach, describe, expect, test } from 'vitest';
import { ActorRateLimiter, type Admission } from './actor-rate-limiter.js';
import { defaultLimits } from './server-limits.js';

/** 60 a minute are one a second, and a burst of 15. */
const limits = { ...defaultLimits, requestsPerMinute: 60, concurrency: 3 };
let now: number;
let budgets: ActorRateLimiter;

beforeEach(() => {
  now = 1_000_000;
  budgets = new ActorRateLimiter(limits, () => now);
});

function done(admission: Admission): boolean {
  if (admission.admitted) admission.done();
  return admission.admitted;
}

/** How many requests in a row, each over at once, are let in. */
function letIn(actor: string): number {
  let count = 0;
  while (count < 1_000 && done(budgets.admit(actor))) count += 1;
  return count;
}

test('a burst is let in, then one request for each moment that was waited', () => {
  expect(letIn('ann')).toBe(15);
  now += 1_000;
  expect(letIn('ann')).toBe(1);
  now += 2_500;
  expect(letIn('ann')).toBe(2);
  now += 500;
  expect(letIn('ann')).toBe(1);
});

test('what is saved up is never more than a burst', () => {
  letIn('ann');
  now += 3_600_000;
  expect(letIn('ann')).toBe(15);
});

test('whoever is turned away learns when to come again, and is let in then', () => {
  letIn('ann');
  now += 200;
  expect(budgets.admit('ann')).toEqual({ admitted: false, reason: 'rate', retryAfterSeconds: 1 });
  now += 800;
  expect(budgets.admit('ann').admitted).toBe(true);
  const slow = new ActorRateLimiter({ ...limits, requestsPerMinute: 2 }, () => now);
  expect(slow.admit('ann').admitted).toBe(true);
  expect(slow.admit('ann')).toEqual({ admitted: false, reason: 'rate', retryAfterSeconds: 30 });
});

test('a clock that is set back earns nothing and costs nothing', () => {
  letIn('ann');
  now -= 60_000;
  expect(letIn('ann')).toBe(0);
  now += 1_000;
  expect(letIn('ann')).toBe(1);
});

test('so many requests run at a time, and one that ends lets another in', () => {
  const running = [1, 2, 3].map(() => budgets.admit('ann'));
  expect(budgets.admit('ann')).toEqual({ admitted: false, reason: 'concurrency', retryAfterSeconds: 1 });
  for (const admission of running.slice(0, 1)) {
    // Ending twice frees one place, not two.
    expect([done(admission), done(admission)]).toEqual([true, true]);
  }
  expect(budgets.admit('ann').admitted).toBe(true);
  expect(budgets.admit('ann').admitted).toBe(false);
});

test('being turned away for running too much costs nothing of the rate', () => {
  const running = [1, 2, 3].map(() => budgets.admit('ann'));
  for (let i = 0; i < 100; i += 1) budgets.admit('ann');
  for (const admission of running) done(admission);
  expect(letIn('ann')).toBe(12);
});

describe('trust 37: a batch', () => {
  test('counts as its calls, in the rate', () => {
    expect(done(budgets.admit('ann', 3))).toBe(true);
    expect(letIn('ann')).toBe(12);
    expect(budgets.admit('ann', 2)).toMatchObject({ reason: 'rate', retryAfterSeconds: 2 });
  });

  test('counts as its calls, at a time', () => {
    const batch = budgets.admit('ann', 2);
    expect(budgets.refusal('ann', 2)).toMatchObject({ reason: 'concurrency' });
    expect(budgets.refusal('ann', 1)).toBeUndefined();
    done(batch);
    expect(budgets.refusal('ann', 3)).toBeUndefined();
  });

  test('of more calls than a burst is paid for afterwards', () => {
    const few = new ActorRateLimiter({ ...limits, requestsPerMinute: 4, concurrency: 10 }, () => now);
    expect(done(few.admit('ann', 3))).toBe(true);
    expect(few.admit('ann')).toMatchObject({ reason: 'rate', retryAfterSeconds: 45 });
  });
});

test('asking whether somebody would be let in costs nothing', () => {
  for (let i = 0; i < 100; i += 1) expect(budgets.refusal('ann')).toBeUndefined();
  expect(letIn('ann')).toBe(15);
});

test('actors do not share a budget', () => {
  expect(letIn('ann')).toBe(15);
  expect(letIn('bob')).toBe(15);
});

test('forgetting those who were not heard of gives nobody more than their share', () => {
  budgets.admit('runs');
  letIn('ann');
  now += 60_001;
  letIn('busy');
  for (let i = 0; i < 10_001; i += 1) done(budgets.admit(`passer-by ${i}`));
  expect(letIn('busy')).toBe(0);
  expect(letIn('ann')).toBe(15);
  expect([budgets.admit('runs').admitted, budgets.admit('runs').admitted]).toEqual([true, true]);
  expect(budgets.admit('runs')).toMatchObject({ admitted: false, reason: 'concurrency' });
});
