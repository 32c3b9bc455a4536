/** All bytes of a body; throws `tooLong()` as soon as there are more than `max`, without fetching the rest. */
export async function readBytesUpTo(
  body: AsyncIterable<Uint8Array> | null,
  max: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > max) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
