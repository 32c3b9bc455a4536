import { open, stat } from 'node:fs/promises';

/** The last bytes of a file, from the beginning of a line. Opening a pipe would wait for who writes to it. */
export async function readTail(path: string, maxBytes: number): Promise<string> {
  if (!(await stat(path)).isFile()) return '';
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - maxBytes);
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(Math.min(size, maxBytes)),
      0,
      undefined,
      start,
    );
    const text = buffer.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}

/** Standard input up to its end; empty if nobody sends any. */
export async function readStdin(maxBytes: number): Promise<string> {
  if (process.stdin.isTTY) return '';
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    length += chunks.at(-1)?.length ?? 0;
    if (length > maxBytes) return '';
  }
  return Buffer.concat(chunks).toString('utf8');
}
