import { TrellisError } from '../../model/error.js';

/** The code of a database or a network error. */
export function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

const lostConnection = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ENOTCONN',
  // The server is shutting down, has crashed, or is not up yet; or the connection failed half-way.
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
]);

/** The connection is gone, and with it whatever was not committed. */
export function isLostConnection(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (code !== undefined) return lostConnection.has(code);
  return (
    thrown instanceof Error &&
    /Connection terminated|Client has encountered a connection error/.test(thrown.message)
  );
}

/** The transaction was undone because of another one: serialisation failure, deadlock, or both made the same identity. */
export function isConflict(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code === '40001' || code === '40P01' || code === '23505';
}

const unavailable: Readonly<Record<string, { message: string; hint: string }>> = {
  ECONNREFUSED: {
    message: 'No PostgreSQL answers',
    hint: 'Start it, or correct host and port in the URL.',
  },
  ENOTFOUND: { message: 'The host cannot be found', hint: 'Correct the host in the URL.' },
  '28P01': {
    message: 'The password is wrong or the user unknown',
    hint: 'Correct user and password in the URL.',
  },
  '28000': { message: 'The user may not connect', hint: 'Check pg_hba.conf and the user in the URL.' },
  '3D000': {
    message: 'The database does not exist',
    hint: 'Create it with createdb, or correct its name in the URL.',
  },
  '42501': {
    message: 'The user has too few privileges',
    hint: 'Grant what docs/postgres.md lists, or let the owner of the tables start Trellis once.',
  },
  '3F000': {
    message: 'The schema is missing and may not be created',
    hint: 'See roles in docs/postgres.md.',
  },
  '53300': {
    message: 'PostgreSQL takes no more connections',
    hint: 'Raise max_connections, or lower max in the URL.',
  },
  '57P03': { message: 'PostgreSQL is starting up', hint: 'Try again in a moment.' },
};

/** Puts a database error into words a user can act on, without a secret; anything else passes unchanged. */
export function describePostgresError(thrown: unknown, location: string): unknown {
  if (thrown instanceof TrellisError) return thrown;
  const code = codeOf(thrown);
  const known = code === undefined ? undefined : unavailable[code];
  if (known !== undefined) {
    return new TrellisError('STORE_UNAVAILABLE', `${known.message}: ${location}.`, {
      hint: known.hint,
      cause: thrown,
    });
  }
  switch (code) {
    case '55P03':
      return new TrellisError('STORE_BUSY', `Others kept the branch locked for too long: ${location}.`, {
        hint: 'Call again.',
        cause: thrown,
      });
    case '57014':
      return new TrellisError('LIMIT_EXCEEDED', 'PostgreSQL ended the statement at its time limit.', {
        hint: 'Ask for less, or raise statement_timeout in the URL.',
        cause: thrown,
      });
    case '53100':
      return new TrellisError(
        'STORE_FULL',
        `The disk of the database is full; nothing was written: ${location}.`,
        {
          cause: thrown,
        },
      );
    case '25006':
      return new TrellisError('STORE_READ_ONLY', `The database takes no writes: ${location}.`, {
        hint: 'It is probably a replica: write to the primary.',
        cause: thrown,
      });
  }
  if (isLostConnection(thrown)) {
    return new TrellisError('STORE_UNAVAILABLE', `The connection to the database was lost: ${location}.`, {
      hint: 'Call again when it is back.',
      cause: thrown,
    });
  }
  return thrown;
}
