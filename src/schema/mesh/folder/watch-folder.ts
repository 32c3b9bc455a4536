import { type FSWatcher, watch } from 'node:fs';

/** When to look at a folder again. */
interface WatchFolderOptions {
  /** Milliseconds between looks that nothing has called for; some file systems report no changes. */
  readonly pollInterval: number;
  /** Milliseconds to wait after a change, since one save is several of them. */
  readonly debounce: number;
  /** Whether to listen to what the file system reports. */
  readonly events: boolean;
}

/** Calls `look` after something changed in a folder, and now and then anyway. Does not keep the process alive. */
export function watchFolder(dir: string, look: () => void, options: WatchFolderOptions): () => void {
  let pending: NodeJS.Timeout | undefined;
  const changed = () => {
    // Later changes do not put the look off, so that a busy folder is looked at too.
    pending ??= setTimeout(() => {
      pending = undefined;
      look();
    }, options.debounce).unref();
  };
  const watcher = options.events ? tryWatch(dir, changed) : undefined;
  const poll = setInterval(look, options.pollInterval).unref();
  return () => {
    clearTimeout(pending);
    clearInterval(poll);
    watcher?.close();
  };
}

function tryWatch(dir: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(dir, { persistent: false }, changed);
    // What cannot be watched, or no longer, is polled.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
