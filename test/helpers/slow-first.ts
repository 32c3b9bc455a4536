import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long, because what they do is elsewhere or in other processes. */
const slow = /\/test\/(store|crash|differential|concurrency|postgres|protocol|history|sqlite)\//;

/** Begins with the slow files, so that none of them is left when the workers run out of others. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => slow.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
