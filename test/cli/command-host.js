// Runs commands of the built command line one after the other in this process: a start of Node costs more than most
// commands. Each has its own arguments, environment, folder and streams, as in a process of its own.
import { Readable, Writable } from 'node:stream';

const home = process.cwd();
let runs = 0;

process.on('message', async ({ entry, args, env, folder, input }) => {
  const stdout = collect();
  const stderr = collect();
  const listeners = new Map(process.eventNames().map((name) => [name, process.listeners(name)]));
  Object.defineProperties(process, {
    stdin: { value: Readable.from(input === '' ? [] : [Buffer.from(input)]), configurable: true },
    stdout: { value: stdout.stream, configurable: true },
    stderr: { value: stderr.stream, configurable: true },
  });
  process.argv = [process.execPath, entry, ...args];
  process.env = env;
  process.exitCode = undefined;
  process.chdir(folder);
  // A module is evaluated once for each address; what it imports stays loaded.
  await import(`${entry}?run=${++runs}`);
  process.chdir(home);
  for (const name of process.eventNames()) {
    for (const listener of process.listeners(name)) {
      if (!listeners.get(name)?.includes(listener)) process.removeListener(name, listener);
    }
  }
  process.send({ code: process.exitCode ?? 0, stdout: stdout.text(), stderr: stderr.text() });
});
process.on('disconnect', () => process.exit());

function collect() {
  const chunks = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
