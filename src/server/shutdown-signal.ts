const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A second signal ends the process at once, as usual. */
export function shutdownSignal(): { received: Promise<NodeJS.Signals>; dispose(): void } {
  let dispose = () => {};
  const received = new Promise<NodeJS.Signals>((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      dispose();
      resolve(signal);
    };
    dispose = () => {
      for (const signal of signals) process.off(signal, onSignal);
    };
    for (const signal of signals) process.on(signal, onSignal);
  });
  return { received, dispose };
}
