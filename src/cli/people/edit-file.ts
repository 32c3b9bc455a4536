import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TrellisError } from '../../model/error.js';

/** A text in a file of its own, which only this user can read. */
export class DraftFile {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(name: string, text: string): Promise<DraftFile> {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-'));
    const path = join(folder, `${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40)}.txt`);
    await writeFile(path, text, { mode: 0o600 });
    return new DraftFile(path);
  }

  /** Opens it in the editor of the user, and returns the text that is saved when the editor ends. */
  async edit(env: NodeJS.ProcessEnv): Promise<string> {
    const editor = env['VISUAL'] || env['EDITOR'] || (process.platform === 'win32' ? 'notepad' : 'vi');
    // As in Git, the variable may have arguments, so a shell reads it.
    const child =
      process.platform === 'win32'
        ? spawn(`${editor} "${this.path}"`, { shell: true, stdio: 'inherit', env })
        : spawn('sh', ['-c', `${editor} "$1"`, editor, this.path], { stdio: 'inherit', env });
    const [code] = await once(child, 'close');
    if (code === 0) return readFile(this.path, 'utf8');
    throw new TrellisError('USAGE', `The editor ${editor} failed${code === null ? '' : ` with ${code}`}.`, {
      hint: 'Set EDITOR to an editor that waits until you close the file, such as nano or "code --wait".',
    });
  }

  remove(): Promise<void> {
    return rm(dirname(this.path), { recursive: true, force: true });
  }
}
