import { posix } from 'node:path';

/** Which node a link means. Links name a file, with or without folders and extension, or an alias. */
export class NoteIndex {
  readonly #byPath = new Map<string, string>();
  readonly #byName = new Map<string, string>();

  /** The first note with a name has it; `others` are further names it goes by. */
  add(path: string, node: string, others: readonly string[]): void {
    this.#byPath.set(keyOf(withoutExtension(path)), node);
    for (const name of [posix.basename(withoutExtension(path)), node, ...others])
      if (!this.#byName.has(keyOf(name))) this.#byName.set(keyOf(name), node);
  }

  /** Undefined if it is no note, such as a picture. */
  resolve(target: string, from: string): string | undefined {
    const path = withoutExtension(target.trim());
    const beside = posix.normalize(posix.join(posix.dirname(from), path));
    const found =
      this.#byPath.get(keyOf(target)) ??
      this.#byPath.get(keyOf(beside)) ??
      this.#byPath.get(keyOf(path)) ??
      this.#byName.get(keyOf(path));
    if (found !== undefined) return found;
    if (path === '' || /\.[a-z0-9]{1,5}$/i.test(path)) return undefined;
    return posix.basename(path);
  }
}

export function withoutExtension(path: string): string {
  return path.replace(/\.(md|markdown)$/i, '');
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
