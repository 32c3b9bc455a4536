import { type Logger as PinoLogger, pino } from 'pino';
import { asTrellisError } from '../model/error.js';
import { errorText } from '../surfaces/dispatch.js';
import type { LogLevel } from './log-levels.js';
import { defectStack } from './session.js';

export type Logger = Pick<PinoLogger, 'error' | 'warn' | 'info' | 'debug'>;

/** To stderr, since stdout is for results. Lines never contain arguments, texts or tokens. */
export function stderrLogger(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

export const silentLogger: Logger = pino({ level: 'silent' });

/** With the stack of a defect of ours. */
export function logError(log: Logger, thrown: unknown): void {
  const error = asTrellisError(thrown);
  log.error({ code: error.code, stack: defectStack(thrown) }, errorText(error));
}
