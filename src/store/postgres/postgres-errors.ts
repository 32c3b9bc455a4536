import { TrellisError } from '../../model/error.js';

export function postgresErrorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

const lostConnectionCodes = new Set([
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

/** The connection is lost, and with it whatever was not committed. */
export function isLostConnection(thrown: unknown): boolean {
  const code = postgresErrorCode(thrown);
  if (code !== undefined) return lostConnectionCodes.has(code);
  return (
    thrown instanceof Error &&
    /Connection terminated|Client has encountered a connection error/.test(thrown.message)
  );
}

/** Waiting again, once for each write of the transaction, would not help. */
export function isLockTimeout(thrown: unknown): boolean {
  const code = postgresErrorCode(thrown);
  return code === '55P03' || (code === statementTimeout && waitedForLock(thrown));
}

const statementTimeout = '57014';

function waitedForLock(thrown: unknown): boolean {
  const context =
    typeof thrown === 'object' && thrown !== null && 'where' in thrown ? thrown.where : undefined;
  return typeof context === 'string' && context.includes('while locking tuple');
}

/** Another transaction is the cause: serialization failure, deadlock, or both created the same identity. */
export function isConflict(thrown: unknown): boolean {
  const code = postgresErrorCode(thrown);
  return code === '40001' || code === '40P01' || code === '23505';
}

/** The role lacks the permission, or the server is read-only. */
export function isPermissionDenied(thrown: unknown): boolean {
  return ['42501', '25006'].includes(postgresErrorCode(thrown) ?? '');
}

interface ErrorText {
  readonly message: string;
  readonly hint: string;
}

const unreachable: ErrorText = {
  message: 'PostgreSQL does not respond',
  hint: 'Start it, or correct host and port in the URL.',
};
const untrustedCertificate: ErrorText = {
  message: 'The certificate of the server is not trusted',
  hint: 'Name the certificate of its authority in the URL: sslrootcert=/path/to/root.crt.',
};

const unknownHost: ErrorText = { message: 'The host cannot be found', hint: 'Correct the host in the URL.' };

const textsByCode: Readonly<Record<string, ErrorText>> = {
  ECONNREFUSED: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EAI_AGAIN: unknownHost,
  ENOTFOUND: unknownHost,
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
    message: 'The user lacks a required privilege',
    hint: 'trellis gc, purge, graph rename and graph delete need the owner of the tables: use the URL of the owner. For anything else, let the owner start Trellis once, and repeat the grants in docs/postgres.md.',
  },
  '3F000': {
    message: 'The schema is missing and may not be created',
    hint: 'See roles in docs/postgres.md.',
  },
  '53300': {
    message: 'PostgreSQL has reached its connection limit',
    hint: 'Raise max_connections, or lower max in the URL.',
  },
  '57P03': { message: 'PostgreSQL is starting up', hint: 'Try again in a moment.' },
  DEPTH_ZERO_SELF_SIGNED_CERT: untrustedCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: untrustedCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedCertificate,
  CERT_HAS_EXPIRED: {
    message: 'The certificate of the server has expired',
    hint: 'Renew it on the server.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    message: 'The certificate of the server is for another host',
    hint: 'Use the host name it was made for, or sslmode=verify-ca.',
  },
};

const textsByMessage: readonly (readonly [text: RegExp, wording: ErrorText])[] = [
  [
    /password must be a (non-empty )?string/,
    {
      message: 'PostgreSQL requires a password',
      hint: 'Put it into the URL, or into PGPASSWORD or ~/.pgpass.',
    },
  ],
  [
    /does not support SSL connections/,
    {
      message: 'The server does not support TLS',
      hint: 'Turn ssl on in postgresql.conf, or take sslmode out of the URL.',
    },
  ],
  [
    /sslmode=verify-ca requires/,
    { message: 'sslmode=verify-ca needs a certificate', hint: untrustedCertificate.hint },
  ],
  [
    /timeout exceeded when trying to connect/,
    {
      message: 'All connections to the database are in use',
      hint: 'Call again, or raise max in the URL.',
    },
  ],
];

function findErrorText(thrown: unknown): ErrorText | undefined {
  const code = postgresErrorCode(thrown);
  const byCode = code === undefined ? undefined : textsByCode[code];
  if (byCode !== undefined || !(thrown instanceof Error)) return byCode;
  return textsByMessage.find(([text]) => text.test(thrown.message))?.[1];
}

/** What PostgreSQL says about a missing privilege: it names the table, such as "permission denied for table node_row". */
function deniedThing(cause: unknown): string {
  return postgresErrorCode(cause) === '42501' && cause instanceof Error ? ` (${cause.message})` : '';
}

/** Turns a database error into one a user can act on, without secrets; returns anything else unchanged. */
export function describePostgresError(cause: unknown, location: string): unknown {
  if (cause instanceof TrellisError) return cause;
  const known = findErrorText(cause);
  if (known !== undefined) {
    const { message, hint } = known;
    return new TrellisError('STORE_UNAVAILABLE', `${message}${deniedThing(cause)}: ${location}.`, {
      hint,
      cause,
    });
  }
  if (isLockTimeout(cause)) {
    return new TrellisError('STORE_BUSY', `The branch stayed locked by another writer: ${location}.`, {
      hint: 'Call again.',
      cause,
    });
  }
  switch (postgresErrorCode(cause)) {
    case 'ENOENT':
    case 'EACCES':
      return new TrellisError(
        'USAGE',
        'A certificate or key file that the PostgreSQL URL names cannot be read.',
        { hint: 'Correct sslrootcert, sslcert and sslkey in the URL.', cause },
      );
    case statementTimeout:
      return new TrellisError('LIMIT_EXCEEDED', 'PostgreSQL ended the statement at its time limit.', {
        hint: 'Ask for less, or raise statement_timeout in the URL.',
        cause,
      });
    case '54000':
      return new TrellisError(
        'LIMIT_EXCEEDED',
        'A type, or the key of an edge, is too long for an index of PostgreSQL.',
        {
          hint: 'Nothing was written. A type with up to 2,500 bytes always fits, as do the type and the key of an edge with so many together.',
          cause,
        },
      );
    case '53100':
      return new TrellisError(
        'STORE_FULL',
        `The disk of the database is full; nothing was written: ${location}.`,
        { cause },
      );
    case '25006':
      return new TrellisError('STORE_READ_ONLY', `The database is read-only: ${location}.`, {
        hint: 'It is probably a replica: write to the primary.',
        cause,
      });
  }
  if (!isLostConnection(cause)) return cause;
  return new TrellisError('STORE_UNAVAILABLE', `The connection to the database was lost: ${location}.`, {
    hint: 'Call again when it is back.',
    cause,
  });
}
