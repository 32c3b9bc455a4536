/** What a client is told: a program to start, or an address to call. */
export type ServerEntry = StartedServer | CalledServer;

export interface StartedServer {
  readonly command: string;
  readonly args: readonly string[];
}

export interface CalledServer {
  readonly url: string;
}

export type EntryValue = Readonly<Record<string, unknown>>;

/** Turns an entry into the object that a client's configuration holds. */
export type WriteEntry = (server: ServerEntry, name: string) => EntryValue;

/** The shape most clients share; `remote` says what a URL looks like in this one. */
export function plainEntry(remote: (url: string) => EntryValue, started: EntryValue = {}): WriteEntry {
  return (server) =>
    'url' in server ? remote(server.url) : { ...started, command: server.command, args: [...server.args] };
}

export const openCodeEntry: WriteEntry = (server) =>
  'url' in server
    ? { type: 'remote', url: server.url, enabled: true }
    : { type: 'local', command: [server.command, ...server.args], enabled: true };

export const gooseEntry: WriteEntry = (server, name) =>
  'url' in server
    ? { name, type: 'streamable_http', uri: server.url, enabled: true, timeout: 300 }
    : { name, type: 'stdio', cmd: server.command, args: [...server.args], enabled: true, timeout: 300 };

export const continueEntry: WriteEntry = (server, name) =>
  'url' in server
    ? { name, type: 'streamable-http', url: server.url }
    : { name, type: 'stdio', command: server.command, args: [...server.args] };
