/** Lets one piece of work in at a time, in the order they asked. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves, when it is this caller's turn, to the function that ends it. */
  async enter(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = deferred();
    this.#last = promise;
    await before;
    return resolve;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
