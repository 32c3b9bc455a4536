/** Commands without `--url`, and why a server cannot do it. */
export const localCommands: ReadonlyMap<string, string> = new Map([
  ['stdio', 'it serves a store; trellis proxy connects to a server.'],
  ['serve', 'it is the server.'],
  ['ui', 'it serves a store; a server shows the explorer at its own address.'],
  ['token', 'it changes the file of tokens.'],
  ['policy', 'it reads the policy file; a server explains it in the explorer.'],
  ['config', 'it reads the configuration file.'],
  ['gc', 'it deletes history for good, which a server lets nobody do.'],
  ['purge', 'it rewrites history, which a server lets nobody do.'],
  ['lint', 'it reads files.'],
  ['import', 'it writes many commits; trellis ingest loads a file into a server.'],
  ['copy', 'it copies commits with their ids, times and authors.'],
  ['backup', 'it copies the files of the store.'],
  ['embed', 'it computes vectors here; a server does that by itself.'],
  ['init', 'it writes files.'],
  ['demo', 'it invents authors, and a server records who really writes.'],
  ['doctor', 'it examines files and settings.'],
]);
