import { rmSync } from 'node:fs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export async function withRemovalOnSignal<T>(path: string, work: () => Promise<T>): Promise<T> {
  const ignore = () => {
    for (const signal of signals) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals) => {
    ignore();
    rmSync(path, { recursive: true, force: true });
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, end);
  try {
    return await work();
  } finally {
    ignore();
  }
}
