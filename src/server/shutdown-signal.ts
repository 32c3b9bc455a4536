const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A second signal ends the process at once, as usual. */
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
