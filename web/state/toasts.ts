import { signal } from '@preact/signals';
import { api } from '../api/graph-api.js';
import { noteChange } from './live.js';
import { asApiError } from './use-load.js';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isProblem: boolean;
  /** A commit that a button takes back. */
  readonly undoes: string | undefined;
}

export const toasts = signal<readonly Toast[]>([]);

const shownMs = 12_000;
let last = 0;

export function say(
  text: string,
  { undoes, isProblem = false }: { undoes?: string | undefined; isProblem?: boolean } = {},
): void {
  last += 1;
  const toast = { id: last, text, isProblem, undoes };
  toasts.value = [...toasts.value, toast];
  dismissLater(toast.id);
}

/** Not while somebody is about to press its button. */
function dismissLater(id: number): void {
  setTimeout(() => {
    if (document.querySelector('.toasts:hover, .toasts:focus-within') === null) dismiss(id);
    else dismissLater(id);
  }, shownMs);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The newest of the shown changes. */
export function undoLast(): void {
  const toast = toasts.value.findLast(({ undoes }) => undoes !== undefined);
  if (toast !== undefined) void undoToast(toast);
}

export async function undoToast({ id, undoes }: Toast): Promise<void> {
  dismiss(id);
  if (undoes === undefined) return;
  try {
    const { commit_id } = await api.peek().undo([undoes]);
    say(commit_id === null ? 'There was nothing to undo.' : 'Undone.', { undoes: commit_id ?? undefined });
    noteChange();
  } catch (error) {
    sayError(error);
  }
}

export function sayError(error: unknown): void {
  const { message, hint } = asApiError(error);
  say([message, hint].filter((part) => part !== undefined).join(' '), { isProblem: true });
}
