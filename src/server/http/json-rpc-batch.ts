/** How many calls the messages of one POST make: it counts as that many requests. */
export function countRequests(message: unknown): number {
  return Array.isArray(message) ? Math.max(1, message.filter(isRequest).length) : 1;
}

/** Why the messages of one POST cannot be told apart in its answer, or undefined. */
export function batchProblem(message: unknown): string | undefined {
  if (!Array.isArray(message)) return undefined;
  if (message.length === 0) return 'The batch is empty.';
  const ids = message.filter(isRequest).map(({ id }) => JSON.stringify(id));
  return new Set(ids).size === ids.length ? undefined : 'Two requests of the batch have the same id.';
}

function isRequest(message: unknown): message is { readonly id: unknown } {
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
}
