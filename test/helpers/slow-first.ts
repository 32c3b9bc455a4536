import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long, because what they do is elsewhere or in other processes. */
const slow =
  /\/test\/(store|crash|differential|concurrency|postgres|protocol|history|sqlite|web|package|deploy)\//;
/** It searches the heap, which grows with every file that a worker has run. */
const first = /\/deleted-branches\.test\.ts$/;

/** Begins with the slow files, so that none of them is left when the workers run out of others. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) =>
      first.test(moduleId) ? 0 : slow.test(moduleId) ? 1 : 2;
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
