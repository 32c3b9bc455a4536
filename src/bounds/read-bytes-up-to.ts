/** All bytes of a body, or what `tooLong` says once there are more; the rest of them is then not even fetched. */
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
