import { type Logger as PinoLogger, pino } from 'pino';
import type { LogLevel } from './log-levels.js';

/** Structured log lines, one JSON object each. */
export type Logger = Pick<PinoLogger, 'error' | 'warn' | 'info' | 'debug'>;

/** Logs on stderr, since stdout is for results. Arguments, texts and tokens never get into a line. */
export function stderrLogger(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}

export const silentLogger: Logger = pino({ level: 'silent' });
