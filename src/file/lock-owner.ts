import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isRecord } from '../model/is-record.js';
import { parseJsonOrUndefined } from '../model/json.js';
import { errnoOf } from './file-errors.js';

/** Identifies a lock holder well enough to tell, on the same machine, whether it still runs. */
export interface LockOwner {
  /** New for each acquired lock. */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** Ids of the machine, its current boot, and the process namespace; empty where the system has none. */
  readonly machine: string;
  readonly boot: string;
  readonly namespace: string;
  /** Start time of the process as the system counts it, to detect a reused pid. */
  readonly started: string;
}

type ProcessIdentity = Omit<LockOwner, 'token'>;

const tokenPattern = /^[0-9a-f]{16}$/;

let identity: Promise<ProcessIdentity> | undefined;

export function ownIdentity(): Promise<ProcessIdentity> {
  identity ??= readIdentity();
  return identity;
}

async function readIdentity(): Promise<ProcessIdentity> {
  const [machine, boot, namespace, self] = await Promise.all([
    orEmpty(readFile('/etc/machine-id', 'utf8')),
    orEmpty(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    orEmpty(readlink('/proc/self/ns/pid')),
    processRecord(process.pid),
  ]);
  return { pid: process.pid, host: hostname(), machine, boot, namespace, started: self?.started ?? '' };
}

export function parseOwner(text: string): LockOwner | undefined {
  const value = parseJsonOrUndefined(text);
  if (!isRecord(value)) return undefined;
  const { token, pid, host, machine, boot, namespace, started } = Object.fromEntries(
    ownerKeys.map((key) => [key, value[key]]),
  );
  // The token becomes part of a file name.
  if (typeof token !== 'string' || !tokenPattern.test(token)) return undefined;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  if (typeof host !== 'string' || typeof machine !== 'string' || typeof boot !== 'string') return undefined;
  if (typeof namespace !== 'string' || typeof started !== 'string') return undefined;
  return { token, pid, host, machine, boot, namespace, started };
}

const ownerKeys = ['token', 'pid', 'host', 'machine', 'boot', 'namespace', 'started'] as const;

/** `unknown` if the owner runs on another machine or in another container. */
export async function ownerState(owner: LockOwner): Promise<'alive' | 'dead' | 'unknown'> {
  const self = await ownIdentity();
  if (owner.host !== self.host || owner.machine !== self.machine) return 'unknown';
  if (owner.boot !== self.boot) return self.machine === '' ? 'unknown' : 'dead';
  if (owner.namespace !== self.namespace) return 'unknown';
  if (!processExists(owner.pid)) return 'dead';
  const record = await processRecord(owner.pid);
  if (record === undefined) return 'alive';
  if (record.ended) return 'dead';
  return owner.started === '' || owner.started === record.started ? 'alive' : 'dead';
}

export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}

/** From Linux's /proc. A process that was killed but not yet reaped has a pid, but has ended. */
async function processRecord(pid: number): Promise<{ started: string; ended: boolean } | undefined> {
  const text = await orEmpty(readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  return state === undefined || started === undefined ? undefined : { started, ended: 'ZXx'.includes(state) };
}

async function orEmpty(reading: Promise<string>): Promise<string> {
  try {
    return (await reading).trim();
  } catch {
    return '';
  }
}
