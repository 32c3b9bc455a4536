import { type Logger as PinoLogger, pino } from 'pino';
import type { LogLevel } from './log-levels.js';

export type Logger = Pick<PinoLogger, 'error' | 'warn' | 'info' | 'debug'>;

/** To stderr, since stdout is for results. Lines never contain arguments, texts or tokens. */
export function stderrLogger(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}

export const silentLogger: Logger = pino({ level: 'silent' });
