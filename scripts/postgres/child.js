import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a module as a process that answers to this one and ends with it.
 * The channel between the two closes however this process dies, which is what the other watches for; being detached, it
 * is out of reach of a Ctrl-C or a kill of the whole group and has the time to clean up.
 */
export async function startChild(module, args) {
  const child = spawn(process.execPath, [fileURLToPath(module), ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  const exited = once(child, 'exit');
  const waiting = new Map();
  let asked = 0;

  const answer = (id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  child.on('message', ({ id, value, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    quieten();
    if (error === undefined) resolve(value);
    else reject(new Error(error));
  });
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values())
      reject(new Error(`${module.pathname} ended (${signal ?? code})`));
    waiting.clear();
  });

  // Whoever forgot to stop it can still exit, and that stops it; but nobody exits while waiting for an answer.
  const quieten = () => {
    if (waiting.size > 0) return;
    child.unref();
    child.channel?.unref();
  };
  const ask = (what) => {
    const id = ++asked;
    child.ref();
    child.channel?.ref();
    const promise = answer(id);
    child.send({ id, what });
    return promise;
  };

  const started = await answer(0);
  return {
    started,
    ask,
    async stop() {
      child.ref();
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** The other end of `startChild`: reports `start()`, serves the commands, and runs `stop` when the parent is gone. */
export async function serveParent({ start, commands, stop }) {
  const starting = start();
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    // What is half started cannot be stopped; a failed start was reported to the parent.
    await starting.catch(() => {});
    await stop();
    process.exit();
  };
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', end);

  const report = async (id, work) => {
    const message = await work.then(
      (value) => ({ id, value }),
      (error) => ({ id, error: error.message }),
    );
    if (process.connected) process.send(message);
  };
  // One after the other, so that a restart never overtakes the kill before it.
  let last = report(0, starting);
  process.on('message', ({ id, what }) => {
    last = last.then(() => report(id, commands[what]()));
  });
  // The parent is told of a failed start and has nothing more to ask.
  await starting.catch(() => last.then(end));
}
