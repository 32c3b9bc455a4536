import { execFile } from 'node:child_process';
import { TrellisError } from '../../model/error.js';
import { proxyLimits } from '../../model/limits.js';
import { parseToken } from './parse-token.js';

/** Runs without a shell. */
export function tokenFromCommand(command: readonly string[], source: string): Promise<string> {
  const [program = '', ...args] = command;
  const options = { timeout: proxyLimits.commandMs, maxBuffer: proxyLimits.credentialBytes };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout) => {
      if (error !== null) return reject(commandFailed(program, source, error));
      try {
        resolve(parseToken(stdout, `What ${program} (${source}) printed`));
      } catch (thrown) {
        reject(thrown);
      }
    });
    // Its input is not the client's, and its errors are for the user.
    child.stdin?.end();
    child.stderr?.pipe(process.stderr, { end: false });
  });
}

function commandFailed(
  program: string,
  source: string,
  { code, killed, message }: Error & { readonly code?: unknown; readonly killed?: boolean },
): TrellisError {
  const seconds = proxyLimits.commandMs / 1000;
  const reasonOf = () => {
    if (killed === true) return `it was ended after ${seconds} s`;
    if (code === 'ENOENT') return 'there is no such program';
    return typeof code === 'number' ? `it ended with ${code}` : message.split('\n')[0];
  };
  return new TrellisError(
    'CREDENTIALS_UNAVAILABLE',
    `${program} (${source}) did not print a token: ${reasonOf()}.`,
    {
      hint: 'Run it yourself to see why; it must print only the token.',
    },
  );
}
