// @ts-check
// Loaded before a program (`node --import`): reports which functions ran since the last report, whenever it gets a message.
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  process.send?.(
    result.flatMap(({ url, functions }) =>
      functions
        .filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0)
        .map(({ functionName }) => ({ url, name: functionName })),
    ),
  );
});
// The program ends when it wants to, although this listens.
process.channel?.unref();
