import { afterEach, describe, expect, test } from 'vitest';
import { Deadline } from '../bounds/deadline.js';
import type { LanguageModel, ModelPrompt } from '../llm/language-model.js';
import { ModelWriter } from './model-writer.js';

/** A model that answers when the test says so. */
class SlowModel implements LanguageModel {
  readonly id = 'slow';
  readonly asked: string[] = [];
  readonly #waiting: { readonly answer: (text: string) => void; readonly fail: (error: Error) => void }[] =
    [];
  running = 0;
  mostRunning = 0;

  async write({ user }: ModelPrompt, signal: AbortSignal): Promise<string> {
    this.asked.push(user);
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    try {
      return await new Promise<string>((answer, fail) => {
        this.#waiting.push({ answer, fail });
        signal.addEventListener('abort', () => fail(signal.reason), { once: true });
      });
    } finally {
      this.running -= 1;
    }
  }

  /** Answers whatever is asked, until the work is done. */
  async until<T>(work: Promise<T>, answer: (n: number) => string | Error): Promise<T> {
    let done = false;
    const ending = work.finally(() => {
      done = true;
    });
    for (let n = 0; !done; ) {
      const next = this.#waiting.shift();
      const text = next === undefined ? undefined : answer(n++);
      if (text instanceof Error) next?.fail(text);
      else if (text !== undefined) next?.answer(text);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ending;
  }
}

const prompts = (count: number): ModelPrompt[] =>
  Array.from({ length: count }, (_, index) => ({ system: 's', user: `node ${index}` }));
const unhurried = new Deadline(Number.POSITIVE_INFINITY);

describe('trust 20: what a language model writes for a report', () => {
  const writers: ModelWriter[] = [];
  const writerOf = (...args: ConstructorParameters<typeof ModelWriter>) => {
    const writer = new ModelWriter(...args);
    writers.push(writer);
    return writer;
  };
  afterEach(() => {
    for (const writer of writers.splice(0)) writer.close();
  });

  test('is asked for four texts at a time, by all reports together', async () => {
    const model = new SlowModel();
    const writer = writerOf(model);
    const both = Promise.all([
      writer.write(prompts(10), unhurried),
      writer.write(
        prompts(20)
          .slice(10)
          .map((prompt) => ({ ...prompt, system: 'other' })),
        unhurried,
      ),
    ]);
    const [first, second] = await model.until(both, (n) => `text ${n}`);
    expect(model.mostRunning).toBe(4);
    expect(model.asked).toHaveLength(20);
    expect([...first.texts, ...second.texts]).not.toContain(null);
    expect([...first.warnings, ...second.warnings]).toEqual([]);
  });

  test('is kept for each node as it is, so that a later report asks only for what is new', async () => {
    const model = new SlowModel();
    const writer = writerOf(model, { concurrency: 1 });
    await model.until(writer.write(prompts(3), unhurried), (n) => `text ${n}`);
    const changed = [...prompts(2), { system: 's', user: 'node 2, changed' }];
    const again = await model.until(writer.write(changed, unhurried), () => 'new');
    expect(again).toEqual({ texts: ['text 0', 'text 1', 'new'], warnings: [] });
    expect(model.asked).toEqual(['node 0', 'node 1', 'node 2', 'node 2, changed']);
  });

  test('that is late is null with a warning, and is there for the next report', async () => {
    const model = new SlowModel();
    const writer = writerOf(model, { concurrency: 2 });
    // A clock that stands still: the time is over once everything is asked that can be, and not before.
    const late = await writer.write(prompts(3), new Deadline(1, () => 0));
    expect(late.texts).toEqual([null, null, null]);
    expect(late.warnings.join()).toMatch(/slow has written 0 of 3 texts so far.*Request the report again/);
    expect(model.asked).toEqual(['node 0', 'node 1']);
    const next = await model.until(writer.write(prompts(3), unhurried), (n) => `text ${n}`);
    expect(next.texts).toEqual(['text 0', 'text 1', 'text 2']);
    // The two that were under way when the first report ended were not asked for again.
    expect(model.asked).toEqual(['node 0', 'node 1', 'node 2']);
  });

  test('that is empty is null with a warning', async () => {
    const model = new SlowModel();
    const writing = writerOf(model, { concurrency: 1 }).write(prompts(2), unhurried);
    const { texts, warnings } = await model.until(writing, (n) => (n === 0 ? ' \u0007 ' : 'text'));
    expect(texts).toEqual([null, 'text']);
    expect(warnings).toEqual(['The language model slow returned nothing for 1 of 2 texts; they are null.']);
  });

  test('that fails ends the asking, and what was written before is kept', async () => {
    const model = new SlowModel();
    const writing = writerOf(model, { concurrency: 1 }).write(prompts(5), unhurried);
    const { texts, failure } = await model.until(writing, (n) => (n === 1 ? new Error('no room') : 'text'));
    expect(texts).toEqual(['text', null, null, null, null]);
    expect(failure).toEqual({
      message: 'The language model slow did not answer: no room. Its texts are null.',
      publicMessage: 'The language model slow did not answer. Its texts are null.',
    });
    expect(model.asked).toHaveLength(2);
  });

  test('that hangs is given up after its own time limit', async () => {
    const writer = writerOf(new SlowModel(), { textMs: 1 });
    const { failure } = await writer.write(prompts(1), unhurried);
    expect(failure?.message).toContain('it took too long');
  });
});
