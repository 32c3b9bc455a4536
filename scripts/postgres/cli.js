import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { choosePostgres, startPglite } from './choose.js';

const usage = `Usage: scripts/postgres-for-tests [-- command args…]

Runs the command with TRELLIS_TEST_POSTGRES, the URL of a PostgreSQL to test with, and
TRELLIS_TEST_POSTGRES_KIND, real or pglite. Without a command, keeps it running until stopped.

It is the one that TRELLIS_TEST_POSTGRES names already; else PostgreSQL 17 in a chroot, for root on
Linux; else PGlite. TRELLIS_TEST_POSTGRES_REQUIRE=real or pglite insists on one.
TRELLIS_TEST_POSTGRES_CERTIFICATE is the certificate of the one named, for the tests of TLS.
TRELLIS_TEST_POSTGRES_CHROOT is the folder of the chroot, /var/cache/trellis-test-postgres.
`;

/** @param {readonly string[]} args */
export async function main(args) {
  const [separator, command, ...rest] = args;
  if (separator !== undefined && (separator !== '--' || command === undefined)) {
    process.stderr.write(usage);
    return separator === '--help' ? 0 : 2;
  }
  const chosen = await choosePostgres({ make: true }).catch((error) => error);
  if (chosen instanceof Error) {
    process.stderr.write(`postgres-for-tests: ${chosen.message}\n`);
    return 1;
  }
  const pglite = chosen.kind === 'pglite' ? await startPglite() : undefined;
  const env = {
    ...process.env,
    TRELLIS_TEST_POSTGRES: chosen.url ?? pglite.url,
    TRELLIS_TEST_POSTGRES_KIND: chosen.kind,
    ...(chosen.certificate ? { TRELLIS_TEST_POSTGRES_CERTIFICATE: chosen.certificate } : {}),
  };
  // The output of the command stays its own.
  process.stderr.write(`postgres-for-tests: ${chosen.description}\n`);
  try {
    if (command !== undefined) return await runToEnd(command, rest, env);
    process.stdout.write(`${env.TRELLIS_TEST_POSTGRES}\n`);
    await stopAsked();
    return 0;
  } finally {
    await chosen.stop();
    await pglite?.stop();
  }
}

async function runToEnd(command, args, env) {
  const child = spawn(command, args, { stdio: 'inherit', env });
  // A Ctrl-C reaches the command by itself; a signal to this process alone is passed on.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  try {
    const [code, signal] = await once(child, 'exit');
    return code ?? 128 + constants.signals[signal];
  } catch (error) {
    process.stderr.write(`postgres-for-tests: ${command} did not start: ${error.message}\n`);
    return 127;
  }
}

function stopAsked() {
  const awake = setInterval(() => {}, 1 << 30);
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  }).finally(() => clearInterval(awake));
}
