/** What the gate answers to whoever may not read: what they sent and what became of it, without what was there. */
export function withoutStored(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { similar, conflicts, details, ...rest } = answer;
  return {
    ...rest,
    ...(conflicts === undefined ? {} : { conflicts: withoutSides(conflicts) }),
    ...(isRecord(details) ? { details: withoutMatches(details) } : {}),
  };
}

/** Of a rejection: the nodes that its keys met, and what stood against it. */
function withoutMatches({ matches, conflicts, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return { ...rest, ...(conflicts === undefined ? {} : { conflicts: withoutSides(conflicts) }) };
}

function withoutSides(conflicts: unknown): unknown {
  if (!Array.isArray(conflicts)) return [];
  return conflicts.filter(isRecord).map(({ stored, ...rest }) => rest);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
