import { describe, expect, test } from 'vitest';
import { BackgroundWork } from './background-work.js';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('work in the background', () => {
  test('is done although it is asked for again and again without a pause', async () => {
    let runs = 0;
    const work = new BackgroundWork(async () => {
      runs += 1;
      return null;
    });
    while (runs === 0) {
      work.scheduleWithin(50);
      await pause(5);
    }
    await work.close();
  });

  test('that has to wait long is done sooner when somebody asks', async () => {
    let runs = 0;
    const work = new BackgroundWork(async () => {
      runs += 1;
      return runs === 1 ? 3_600_000 : null;
    });
    work.runNow();
    await work.running;
    work.scheduleWithin(1);
    await work.idle();
    expect(runs).toBe(2);
  });

  test('runs once at a time, again when it says so, and never after it was closed', async () => {
    let [inside, most, runs] = [0, 0, 0];
    const work = new BackgroundWork(async () => {
      inside += 1;
      runs += 1;
      most = Math.max(most, inside);
      await pause(2);
      inside -= 1;
      return runs < 3 ? 0 : null;
    });
    work.runNow();
    work.runNow();
    work.scheduleWithin(0);
    await work.idle();
    expect([runs, most]).toEqual([3, 1]);
    await work.close();
    work.runNow();
    work.scheduleWithin(0);
    await work.idle();
    expect(runs).toBe(3);
  });
});
