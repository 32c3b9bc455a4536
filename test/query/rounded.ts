/** Sums of floats may differ in their last digits. */
export function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === 'number' && !Number.isSafeInteger(member) ? Number(member.toPrecision(12)) : member,
    ),
  );
}
