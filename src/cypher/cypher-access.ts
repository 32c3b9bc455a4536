import { errorCodes, TrellisError } from '../model/error.js';
import { type CypherAccess, type CypherConnection, CypherError, isLost } from './cypher-connection.js';
import { type CypherSettings, checkCypherUrl, isFalkorUrl } from './cypher-settings.js';

export async function openCypherConnection(settings: CypherSettings): Promise<CypherConnection> {
  if (isFalkorUrl(settings.url))
    return (await import('./falkordb-connection.js')).FalkordbConnection.open(settings);
  return (await import('./bolt-connection.js')).BoltConnection.open(settings);
}

/** Connects when first used, again after the connection was lost, and stays connected. */
export class KeptConnection implements CypherAccess {
  readonly name: string;
  readonly #settings: CypherSettings;
  #connection: Promise<CypherConnection> | undefined;

  constructor(settings: CypherSettings) {
    this.name = checkCypherUrl(settings.url).href;
    this.#settings = settings;
  }

  async use<T>(work: (connection: CypherConnection) => Promise<T>): Promise<T> {
    this.#connection ??= openCypherConnection(this.#settings);
    const connecting = this.#connection;
    const connection = await connecting.catch((error: unknown) => {
      this.#forget(connecting);
      throw error;
    });
    try {
      return await work(connection);
    } catch (error) {
      if (isLost(error)) {
        this.#forget(connecting);
        await connection.close();
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    const connecting = this.#connection;
    this.#connection = undefined;
    await connecting?.then((connection) => connection.close()).catch(() => {});
  }

  /** Unless somebody has connected again meanwhile. */
  #forget(connecting: Promise<CypherConnection>): void {
    if (this.#connection === connecting) this.#connection = undefined;
  }
}

/** Connects for each use. */
export class TemporaryConnection implements CypherAccess {
  readonly name: string;
  readonly #settings: CypherSettings;

  constructor(settings: CypherSettings) {
    this.name = checkCypherUrl(settings.url).href;
    this.#settings = settings;
  }

  async use<T>(work: (connection: CypherConnection) => Promise<T>): Promise<T> {
    const connection = await openCypherConnection(this.#settings).catch((error: unknown) => {
      throw databaseUnavailable(this.name, error);
    });
    try {
      return await work(connection);
    } catch (error) {
      throw databaseUnavailable(this.name, error);
    } finally {
      await connection.close();
    }
  }

  async close(): Promise<void> {}
}

/** What clients see of a failure that is not about what they wrote. */
export function databaseUnavailable(name: string, error: unknown): unknown {
  if (!(error instanceof CypherError)) return error;
  if (error.failure === 'constraint' || error.failure === 'refused')
    return new TrellisError('SCHEMA_VIOLATION', `The graph database at ${name} refused: ${error.message}`, {
      hint: 'Change what it names, here or there.',
      publicMessage: errorCodes.SCHEMA_VIOLATION,
      cause: error,
    });
  return new TrellisError('STORE_UNAVAILABLE', `The graph database at ${name} failed: ${error.message}`, {
    hint: 'Check that it runs, its address, and the user and the password.',
    cause: error,
  });
}
