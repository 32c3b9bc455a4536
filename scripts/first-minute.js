// @ts-check
// From nothing to remembered: `npm run first-minute`. Prints what each step takes, and fails above a minute, in which
// the download is not counted.
import { downloadStep, firstMinute } from './packaging/first-minute.js';

const goalSeconds = 60;
let total = 0;

const { version, answer, installedBytes } = await firstMinute((step, milliseconds) => {
  if (step !== downloadStep) total += milliseconds;
  print(milliseconds / 1000, step);
});
print(total / 1000, 'all of it, without the download');
console.log(`\nVersion ${version}, ${(installedBytes / 1e6).toFixed(1)} MB installed. Found:`);
console.log(JSON.stringify(answer.structuredContent));
if (total > goalSeconds * 1000) process.exitCode = 1;

/**
 * @param {number} seconds
 * @param {string} step
 */
function print(seconds, step) {
  console.log(`${seconds.toFixed(1).padStart(5)} s  ${step}`);
}
