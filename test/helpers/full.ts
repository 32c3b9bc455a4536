/** Whether this is `npm run test:full`: every suite on every store, with the larger counts. */
export const full = process.env['TRELLIS_TEST_FULL'] !== undefined;

/** How often to try something: a few times in `npm test`, many times in `npm run test:full`. */
export function times(few: number, many: number): number {
  return full ? many : few;
}
