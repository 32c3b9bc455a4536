import { type Logger as PinoLogger, pino } from 'pino';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Structured log lines, one JSON object each. */
export type Logger = Pick<PinoLogger, 'error' | 'warn' | 'info' | 'debug'>;

/** Logs on stderr, since stdout is for results. Arguments, texts and tokens never get into a line. */
export function stderrLog(level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}

export const noLog: Logger = pino({ level: 'silent' });
