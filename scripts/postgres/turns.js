import { startupSettings } from './startup-settings.js';

/**
 * Lets many connections share PGlite's single session. The messages of an exchange are run together, and a connection
 * in a transaction has the database to itself until it ends: between a Parse and its Bind, or a BEGIN and its COMMIT,
 * the message of another would be taken for part of it. Prepared statements carry the number of their connection, as
 * two may use the same name; and the settings a connection begins with are set again when its turn comes after that of
 * one with others, though what it sets later is everybody's. The methods that are public are those a connection of pglite-socket calls.
 */
export class Turns {
  #database;
  #holder;
  #waiting = [];
  #last = new Map();
  #exchanges = new Map();
  #statements = new Map();
  #gone = new Set();
  #settings = new Map();
  #set = '';

  constructor(database) {
    this.#database = database;
  }

  /** Runs a message; those of one connection in their order, though it does not wait for one before it sends the next. */
  enqueue(connection, message, onData) {
    const before = this.#last.get(connection) ?? Promise.resolve();
    const answered = before.then(() => this.#answer(connection, message, onData));
    this.#last.set(
      connection,
      answered.catch(() => {}),
    );
    return answered;
  }

  /** The connection is gone, and what it still waits for is not wanted. */
  clearQueueForHandler(connection) {
    this.#gone.add(connection);
    const unwanted = this.#waiting.filter(({ holder }) => holder === connection);
    this.#waiting = this.#waiting.filter(({ holder }) => holder !== connection);
    for (const { reject } of unwanted) reject(new Error('the connection was closed'));
  }

  /** What a session takes to its grave, a connection that is gone has to be rid of by hand. */
  async clearTransactionIfNeeded(connection) {
    await this.#last.get(connection);
    const cleaner = Symbol('cleaner');
    if (this.#holder === connection) this.#holder = cleaner;
    else await this.#turn(cleaner);
    try {
      if (this.#database.isInTransaction()) await this.#run(query('rollback'));
      await this.#run(query('select pg_advisory_unlock_all()'));
      for (const name of this.#statements.get(connection) ?? []) {
        await this.#run(query(`deallocate "${name.replaceAll('"', '""')}"`));
      }
    } finally {
      this.#statements.delete(connection);
      this.#exchanges.delete(connection);
      this.#settings.delete(connection);
      this.#last.delete(connection);
      this.#pass();
    }
  }

  async #answer(connection, message, onData) {
    if (this.#gone.has(connection)) throw new Error('the connection was closed');
    const type = String.fromCharCode(message[0]);
    // The session outlives the connection that says goodbye.
    if (type === 'X') return 0;
    if (type === '\0') this.#settings.set(connection, settingStatement(message));
    const exchange = [...(this.#exchanges.get(connection) ?? []), this.#renamed(connection, type, message)];
    this.#exchanges.set(connection, exchange);
    if (!endsExchange(type)) return 0;
    this.#exchanges.delete(connection);

    await this.#turn(connection);
    try {
      await this.#applySettings(this.#settings.get(connection) ?? '');
      const answer = readyOnce(await this.#run(Buffer.concat(exchange)));
      onData(answer);
      return answer.length;
    } finally {
      if (!this.#database.isInTransaction()) this.#pass();
    }
  }

  async #applySettings(statement) {
    if (this.#set === statement) return;
    this.#set = statement;
    await this.#run(query('reset all'));
    if (statement) await this.#run(query(statement));
  }

  /** By this way alone: what PGlite's other methods answer goes to whoever asked this way last. */
  async #run(message) {
    const answer = [];
    await this.#database.runExclusive(() =>
      this.#database.execProtocolRawStream(new Uint8Array(message), {
        onRawData: (data) => answer.push(Buffer.from(data)),
      }),
    );
    return Buffer.concat(answer);
  }

  async #turn(holder) {
    if (this.#holder === holder) return;
    if (this.#holder === undefined) {
      this.#holder = holder;
      return;
    }
    await new Promise((resolve, reject) => this.#waiting.push({ holder, resolve, reject }));
  }

  #pass() {
    const next = this.#waiting.shift();
    this.#holder = next?.holder;
    next?.resolve();
  }

  #renamed(connection, type, message) {
    const at = statementNameAt(type, message);
    if (at === undefined || message[at] === 0) return message;
    const end = message.indexOf(0, at);
    const name = `${connection}:${Buffer.from(message.subarray(at, end)).toString()}`;
    if (type === 'P') {
      if (!this.#statements.has(connection)) this.#statements.set(connection, new Set());
      this.#statements.get(connection).add(name);
    }
    const changed = Buffer.concat([message.subarray(0, at), Buffer.from(name), message.subarray(end)]);
    changed.writeInt32BE(changed.length - 1, 1);
    return changed;
  }
}

function query(sql) {
  const message = Buffer.from(`Q\0\0\0\0${sql}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

function settingStatement(startup) {
  const quote = (text) => `'${text.replaceAll("'", "''")}'`;
  return startupSettings(startup)
    .map(([name, value]) => `select set_config(${quote(name)}, ${quote(value)}, false);`)
    .join('');
}

/** A query, a Sync, or the first message of a connection, which has no letter but a length. */
function endsExchange(type) {
  return type === 'Q' || type === 'S' || type === '\0';
}

/**
 * PGlite is ready for the next query after an error, and once more after the Sync that follows; a client that has been
 * told twice takes the second for the answer to what it asked in between.
 */
function readyOnce(answer) {
  const messages = [];
  for (let at = 0; at < answer.length; ) {
    const end = at + 1 + answer.readInt32BE(at + 1);
    messages.push(answer.subarray(at, end));
    at = end;
  }
  const isReady = (message) => message[0] === 'Z'.charCodeAt(0);
  const last = messages.findLastIndex(isReady);
  return Buffer.concat(messages.filter((message, nth) => nth === last || !isReady(message)));
}

/** Where in Parse, Bind, Describe and Close the name of the prepared statement begins. */
function statementNameAt(type, message) {
  if (type === 'P') return 5;
  if (type === 'B') return message.indexOf(0, 5) + 1;
  if (type === 'D' || type === 'C') return message[5] === 'S'.charCodeAt(0) ? 6 : undefined;
  return undefined;
}
