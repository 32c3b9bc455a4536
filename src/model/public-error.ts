import { asTrellisError, TrellisError } from './error.js';

interface ErrorAudience {
  /** Whether the client may be on another machine. */
  readonly isRemote: boolean;
  /** Receives the error itself if the client sees less of it. */
  readonly report: (error: unknown) => void;
}

/**
 * What a client may see of an error. The text of a defect is for the operator alone: it may hold statements, paths or what
 * others wrote. Clients on other machines see the public message of any error, and no details of one that has a private
 * message.
 */
export function publicError(thrown: unknown, { isRemote, report }: ErrorAudience): TrellisError {
  const error = asTrellisError(thrown);
  const { code, message, publicMessage, hint } = error;
  if (code !== 'INTERNAL' && (!isRemote || publicMessage === message)) return error;
  report(error);
  const wayOut = code === 'INTERNAL' ? 'Trying again is unlikely to help.' : hint;
  return new TrellisError(code, publicMessage, {
    hint: `${wayOut === undefined ? '' : `${wayOut} `}The operator finds the details on the server's standard error.`,
    publicMessage,
    cause: error,
  });
}
