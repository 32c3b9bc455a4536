/** Ctrl-C, a supervisor, and a terminal that is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when the process is asked to end. A second request ends it at once, as the system would. */
export function shutdownSignal(): { asked: Promise<NodeJS.Signals>; forget(): void } {
  let forget = () => {};
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      forget();
      resolve(signal);
    };
    forget = () => {
      for (const signal of signals) process.off(signal, onSignal);
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
  return { asked, forget };
}
