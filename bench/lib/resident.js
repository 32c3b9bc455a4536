// @ts-check
import { readFile } from 'node:fs/promises';

/**
 * The resident memory of a process in bytes, as Linux tells it.
 * @param {number | undefined} pid
 */
export async function residentBytes(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error(`/proc/${pid}/status has no VmRSS line.`);
  return Number(kilobytes) * 1024;
}

/**
 * The processes that a process has started, as Linux tells it.
 * @param {number | undefined} pid
 */
export async function childrenOf(pid) {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number);
}
