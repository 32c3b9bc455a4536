/** How much the server logs, from nothing to every request. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof logLevels)[number];
