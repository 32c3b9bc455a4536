/** The bits of a float as text that sorts like the floats. */
export function floatText(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bytes[0] ?? 0) >= 128;
  for (const [index, byte] of bytes.entries())
    bytes[index] = negative ? byte ^ 0xff : index === 0 ? byte ^ 0x80 : byte;
  return bytes.toString('hex');
}
