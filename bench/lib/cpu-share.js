// @ts-check
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
const periodUs = 20_000;
let made = 0;

/**
 * Gives each process, with its children, at most a share of one processor, as if it had a small one of its own. It needs
 * Linux and root.
 * @param {readonly (number | undefined)[]} pids
 * @param {number} share
 * @returns {() => void} Lifts the limit.
 */
export function limitCpu(pids, share) {
  const groups = pids.map((pid) => {
    const isFirstVersion = existsSync(join(root, 'cpu'));
    const parent = isFirstVersion ? join(root, 'cpu') : root;
    const group = join(parent, `trellis-bench-${process.pid}-${made++}`);
    mkdirSync(group);
    const quotaUs = Math.round(share * periodUs);
    if (isFirstVersion) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(periodUs));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs));
    } else {
      writeFileSync(join(group, 'cpu.max'), `${quotaUs} ${periodUs}`);
    }
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return { group, parent, pid };
  });
  return () => {
    for (const { group, parent, pid } of groups) {
      writeFileSync(join(parent, 'cgroup.procs'), String(pid));
      rmdirSync(group);
    }
  };
}
