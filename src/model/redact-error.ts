import { type ErrorCode, errorCodes, TrellisError } from './error.js';

/**
 * An error as a client is told it. The words of a defect are for whoever runs the server: they may name its files, its
 * statements or what others wrote. A client on another machine is told of no file, folder or address of this one either.
 */
export function redactError(error: TrellisError, isRemote: boolean): TrellisError {
  if (error.code === 'INTERNAL') {
    return new TrellisError('INTERNAL', 'Something went wrong inside Trellis, which is a defect of it.', {
      hint: 'Nothing was written. Trying the same again will hardly help; whoever runs it finds the details on standard error.',
      cause: error,
    });
  }
  return isRemote && serverSideCodes.has(error.code) ? redactPaths(error) : error;
}

/** An error that the client's words are no part of, without the files, folders and addresses that it names. */
export function redactPaths(error: TrellisError): TrellisError {
  const { code, message, hint, details, cause } = error;
  if (!mentionsPath(`${message} ${hint} ${JSON.stringify(details)}`)) return error;
  const wayOut = hint === undefined || mentionsPath(hint) ? '' : `${hint} `;
  return new TrellisError(code, errorCodes[code], {
    hint: `${wayOut}Whoever runs the server finds the details on standard error.`,
    cause,
  });
}

/** What goes wrong with something that the client has not named. */
const serverSideCodes: ReadonlySet<ErrorCode> = new Set([
  'STORE_UNAVAILABLE',
  'STORE_BUSY',
  'STORE_FULL',
  'STORE_READ_ONLY',
  'STORE_CORRUPT',
  'STORE_TOO_NEW',
  'NOT_A_STORE',
  'CAPABILITY_MISSING',
  'SCHEMA_SOURCE_UNAVAILABLE',
  'FORMULA_INVALID_OUTPUT',
  'STORED_QUERY_INVALID',
  'EMBEDDER_UNAVAILABLE',
  'IDENTITY_PROVIDER_UNAVAILABLE',
  'CONFIG_INVALID',
  'POLICY_INVALID',
  'TOKENS_INVALID',
]);

const pathPatterns: readonly RegExp[] = [
  // A file by its whole path, on either kind of system.
  /(^|[\s"'(])\/[^\s/]|\b[A-Za-z]:\\/,
  // An address, a host with its port, and what Node could not reach.
  /:\/\/|\b(?:\d{1,3}\.){3}\d{1,3}\b|\b[\w.-]*\w:\d{2,5}\b|::1\b/,
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|E\w+UNREACH) [\w.:-]/,
];

/** Whether a text names a file by its whole path, or an address. */
export function mentionsPath(text: string): boolean {
  return pathPatterns.some((place) => place.test(text));
}
