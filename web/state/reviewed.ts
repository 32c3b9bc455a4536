import { computed, signal } from '@preact/signals';
import { branchName, graphName } from './address.js';

/** What the reader has looked at, kept in this browser. */
interface Reviewed {
  /** Every commit up to this one is reviewed, and the time of it. */
  readonly seq: number;
  readonly time?: string;
  /** Later ones that were accepted one by one. */
  readonly accepted: readonly string[];
  /** Findings that need no care. */
  readonly dismissed: readonly string[];
}

const mostAccepted = 2_000;
const nothing: Reviewed = { seq: 0, accepted: [], dismissed: [] };
const version = signal(0);

export const reviewed = computed(() => {
  void version.value;
  return read(storageKey());
});

export function accept(keys: readonly string[]): void {
  const before = reviewed.value;
  write({ ...before, accepted: [...new Set([...before.accepted, ...keys])].slice(-mostAccepted) });
}

export function acceptUpTo({ seq, created_at }: { readonly seq: number; readonly created_at: string }): void {
  write({ ...reviewed.value, seq, time: created_at, accepted: [] });
}

export function dismiss(finding: string): void {
  const before = reviewed.value;
  write({ ...before, dismissed: [...before.dismissed, finding].slice(-mostAccepted) });
}

export function showDismissed(): void {
  write({ ...reviewed.value, dismissed: [] });
}

export function reviewAgain(): void {
  write({ ...nothing, dismissed: reviewed.value.dismissed });
}

function storageKey(): string {
  return `trellis.reviewed/${encodeURIComponent(graphName.value)}/${encodeURIComponent(branchName.value)}`;
}

function write(state: Reviewed): void {
  localStorage.setItem(storageKey(), JSON.stringify(state));
  version.value += 1;
}

function read(key: string): Reviewed {
  try {
    return { ...nothing, ...JSON.parse(localStorage.getItem(key) ?? '{}') };
  } catch {
    return nothing;
  }
}
