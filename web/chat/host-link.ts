export type Params = Readonly<Record<string, unknown>>;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const methodNotFound = -32_601;

/** What the host asks of a page: whether it is there, and to end. Both are granted. */
const granted: ReadonlySet<unknown> = new Set(['ping', 'ui/resource-teardown']);

export function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON-RPC with the host, which is the window around the page. */
export class HostLink {
  readonly #host: Window;
  readonly #pending = new Map<unknown, Pending>();
  readonly #listeners = new Map<unknown, (params: Params) => void>();
  #lastId = 0;

  constructor(host: Window) {
    this.#host = host;
    window.addEventListener('message', ({ source, data }) => {
      if (source === host && isRecord(data) && data['jsonrpc'] === '2.0') this.#receive(data);
    });
  }

  request(method: string, params: Params): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  notify(method: string, params: Params): void {
    this.#send({ method, params });
  }

  on(method: string, listener: (params: Params) => void): void {
    this.#listeners.set(method, listener);
  }

  /** To any origin: the page cannot know where it is embedded, and only the host gets the message. */
  #send(message: Params): void {
    this.#host.postMessage({ jsonrpc: '2.0', ...message }, '*');
  }

  #receive({ id, method, params, result, error }: Params): void {
    if (typeof method === 'string') {
      const given = isRecord(params) ? params : {};
      if (id === undefined) this.#listeners.get(method)?.(given);
      else if (granted.has(method)) this.#send({ id, result: {} });
      else this.#send({ id, error: { code: methodNotFound, message: `Method not found: ${method}` } });
      return;
    }
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (isRecord(error)) pending?.reject(new Error(String(error['message'])));
    else pending?.resolve(result);
  }
}
