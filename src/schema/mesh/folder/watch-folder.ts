import { type FSWatcher, watch } from 'node:fs';

interface WatchFolderOptions {
  /** Milliseconds between polls, for file systems that report no changes. */
  readonly pollInterval: number;
  /** Milliseconds to wait after a change: one save causes several. */
  readonly debounce: number;
  /** Whether to use the events of the file system. */
  readonly events: boolean;
}

/** Calls `refresh` after a change in a folder, and at intervals. Does not keep the process alive. */
export function watchFolder(dir: string, refresh: () => void, options: WatchFolderOptions): () => void {
  let pending: NodeJS.Timeout | undefined;
  const changed = () => {
    // Later changes do not postpone the refresh, so that a busy folder is refreshed too.
    pending ??= setTimeout(() => {
      pending = undefined;
      refresh();
    }, options.debounce).unref();
  };
  const watcher = options.events ? tryWatch(dir, changed) : undefined;
  const poll = setInterval(refresh, options.pollInterval).unref();
  return () => {
    clearTimeout(pending);
    clearInterval(poll);
    watcher?.close();
  };
}

function tryWatch(dir: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dir, { persistent: false }, changed);
    // Polling goes on.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
