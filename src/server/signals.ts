/** Resolves when the process is asked to end. A second request ends it at once, as the system would. */
export function untilAskedToEnd(): { asked: Promise<NodeJS.Signals>; forget(): void } {
  let forget = () => {};
  const asked = new Promise<NodeJS.Signals>((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      forget();
      resolve(signal);
    };
    forget = () => {
      process.off('SIGTERM', onSignal);
      process.off('SIGINT', onSignal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
  return { asked, forget };
}
