/** What the gate answers to whoever may not read: what they sent and what became of it, without what was there. */
export function redactGateResult(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { similar, conflicts, details, ...rest } = answer;
  return {
    ...rest,
    ...(conflicts === undefined ? {} : { conflicts: redactConflicts(conflicts) }),
    ...(isRecord(details) ? { details: redactRejectionDetails(details) } : {}),
  };
}

/** Of a rejection: the nodes that its keys met, and what stood against it. */
function redactRejectionDetails({
  matches,
  conflicts,
  ...rest
}: Record<string, unknown>): Record<string, unknown> {
  return { ...rest, ...(conflicts === undefined ? {} : { conflicts: redactConflicts(conflicts) }) };
}

function redactConflicts(conflicts: unknown): unknown {
  if (!Array.isArray(conflicts)) return [];
  return conflicts.filter(isRecord).map(({ stored, ...rest }) => rest);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
