import { randomUUID } from 'node:crypto';
import { type FileState, fileStateOf, readContent, sameState } from '../../file/file-signature.js';
import { saveAtomically } from '../../file/save-atomically.js';
import type { Author } from '../../model/commit.js';
import { defaultGraph } from '../../model/graph-record.js';
import type { NodeId } from '../../model/node.js';
import type { WriteTarget } from '../graph-targets.js';
import { type BatchChanges, ConcurrentChangeError } from '../sqlite/batch-interceptor.js';
import type { WriteResult } from '../write-result.js';
import type { Writer } from '../writer.js';
import { applyDelta } from './apply-delta.js';
import { diffFileLines, type GraphDelta, type LineWarning } from './diff-file-lines.js';
import { FileLines } from './file-lines.js';
import type { LineFormat } from './lines/line-record.js';
import { type StagedFile, stageChanges } from './stage-changes.js';

export interface MirroredStore {
  apply<T>(
    target: WriteTarget,
    author: Author,
    work: (writer: Writer) => Promise<T>,
  ): Promise<WriteResult<T>>;
}

export interface MirrorOptions {
  readonly newFileFormat: LineFormat;
  readonly warn: (message: string) => void;
}

const fileAuthor: Author = { actor: 'file', tool: 'load' };

/** Keeps a file and its rows in sync. Calls must not overlap. */
export class FileMirror {
  readonly path: string;
  readonly #options: MirrorOptions;
  readonly #lines = new FileLines();
  readonly #names = new Map<NodeId, string>();
  #replacedIn: ReadonlySet<string> = new Set();
  /** The state of the file that the rows reflect; undefined if unknown. */
  #state: FileState | undefined;
  /** With the number of times others changed the order, this makes the epoch. */
  readonly #reading = randomUUID();
  #reorderings = 0;
  /** The newest seq that the lines reflect. */
  #seq = 0;
  #saved: { readonly staged: StagedFile; readonly state: FileState | undefined } | undefined;

  constructor(path: string, options: MirrorOptions) {
    this.path = path;
    this.#options = options;
  }

  /** See `Reader.epoch`. */
  get epoch(): string {
    return `${this.#reading}/${this.#reorderings}`;
  }

  /** See `Reader.replacedIn`. */
  get replacedIn(): ReadonlySet<string> {
    return this.#replacedIn;
  }

  async isCurrent(): Promise<boolean> {
    return sameState(this.#state, await fileStateOf(this.path));
  }

  /** Applies what other programs did to the file to the rows. */
  async refresh(rows: MirroredStore): Promise<void> {
    if (await this.isCurrent()) return;
    const { state, content } = await readContent(this.path);
    if (state === 'missing' && this.#state !== undefined && this.#state !== 'missing') {
      this.#options.warn(`${this.path} was deleted; the graph is empty until the next write`);
    }
    const diff = diffFileLines(this.#lines, content);
    if (diff.delta.nodes.some(({ record, append }) => append && this.#lines.nodes.get(record.name)))
      this.#reorderings += 1;
    const ids = await this.#apply(rows, diff.delta);
    diff.apply(ids);
    for (const [name, id] of ids) this.#names.set(id, name);
    this.#noteReplaced([
      ...diff.delta.removedNodes.map((name) => [name, false] as const),
      ...diff.delta.nodes.map(({ record }) => [record.name, record.original !== undefined] as const),
    ]);
    this.#state = state;
    warnAboutLines(this.path, diff.warnings, this.#options.warn);
  }

  #noteReplaced(found: Iterable<readonly [name: string, isReplaced: boolean]>): void {
    const names = new Set(this.#replacedIn);
    for (const [name, isReplaced] of found) {
      if (isReplaced) names.add(name);
      else names.delete(name);
    }
    this.#replacedIn = names;
  }

  async #apply(rows: MirroredStore, delta: GraphDelta): Promise<Map<string, NodeId>> {
    if (Object.values(delta).every((changes: readonly unknown[]) => changes.length === 0)) return new Map();
    const written = await rows.apply({ graph: defaultGraph }, fileAuthor, (writer) =>
      applyDelta(writer, delta),
    );
    this.#seq = Math.max(this.#seq, written.commit?.seq ?? 0);
    return written.result;
  }

  /** Saves the changes of a batch; `confirmSave` or `discardSave` follows when the batch has ended. */
  async save(target: string, changes: BatchChanges, checkLock: () => void): Promise<void> {
    const staged = await stageChanges(this.#lines, changes, {
      names: this.#names,
      format: this.#lines.format ?? this.#options.newFileFormat,
      since: this.#seq,
    });
    const state = await saveAtomically(target, staged.content, {
      beforeReplace: async () => {
        checkLock();
        if (await this.isCurrent()) return;
        // Programs that do not know the lock may have written meanwhile; what they wrote must not be lost.
        throw new ConcurrentChangeError(
          `Another program changed ${this.path} while it was being saved; nothing was written.`,
          this.path,
        );
      },
    });
    this.#saved = { staged, state };
  }

  confirmSave(): void {
    if (this.#saved === undefined) return;
    const { staged, state } = this.#saved;
    staged.apply();
    for (const [id, name] of staged.names) this.#names.set(id, name);
    this.#noteReplaced(staged.replaced);
    this.#seq = staged.seq;
    this.#state = state;
    this.#saved = undefined;
  }

  /** If the file was saved all the same, the next refresh finds it changed. */
  discardSave(): void {
    this.#saved = undefined;
  }
}

const maxWarnings = 20;

const effectTexts: Readonly<Record<LineWarning['effect'], string>> = {
  left_out: 'it is left out of the graph and',
  adds: 'its observations are added to that node; the line is',
  replaced: 'that character is shown as U+FFFD, and the line is',
};

function warnAboutLines(path: string, lines: readonly LineWarning[], warn: (message: string) => void): void {
  for (const { number, reason, effect } of lines.slice(0, maxWarnings)) {
    warn(`${path}:${number}: the line ${reason}; ${effectTexts[effect]} kept in the file`);
  }
  const more = lines.length - maxWarnings;
  if (more > 0)
    warn(`${path}: ${more} more ${more === 1 ? 'line' : 'lines'}; trellis doctor examines them all`);
}
