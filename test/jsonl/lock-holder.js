// @ts-check
/**
 * Takes a lock again and again and, while it has it, adds one to the number in a file, in steps that others would spoil.
 * Run as: node lock-holder.js LOCK COUNTER ROUNDS; prints a line for each round it is sure of.
 */
import { openSync, readFileSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { acquireLock } from '../../dist/file/lock-file.js';

const [lockPath = '', counterPath = '', rounds = '0'] = process.argv.slice(2);
const counter = openSync(counterPath, 'r+');

for (let round = 0; round < Number(rounds); round += 1) {
  const lock = await acquireLock(lockPath);
  const count = Number(readFileSync(counterPath, 'utf8'));
  await nextTurn();
  // In one step and without emptying the file first, so that being killed cannot spoil the number.
  writeSync(counter, String(count + 1).padEnd(8), 0);
  process.stdout.write('counted\n');
  lock.release();
}
