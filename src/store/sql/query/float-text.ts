/** The bits of a float as text, turned so that they are ordered as the floats are. */
export function floatText(value: number): string {
  const bytes = Buffer.alloc(8);
  // Minus zero is zero.
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const negative = (bytes[0] ?? 0) >= 128;
  for (const [index, byte] of bytes.entries())
    bytes[index] = negative ? byte ^ 0xff : index === 0 ? byte ^ 0x80 : byte;
  return bytes.toString('hex');
}
