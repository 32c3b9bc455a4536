// @ts-check
export const scaleSchema = `
node Person { email: String @key  age: I32?  city: String? @index  note: String? }
edge Knows: Person -> Person { since: Date? }
`;

export const email = (/** @type {number} */ index) => `person-${index}@example.org`;

/**
 * @param {number} nodes
 * @param {number} edges
 */
export function* scaleLines(nodes, edges) {
  for (let n = 0; n < nodes; n++) {
    const data = {
      email: email(n),
      age: n % 90,
      city: `city ${n % 500}`,
      note: `some words about person ${n}`,
    };
    yield Buffer.from(`${JSON.stringify({ type: 'Person', data })}\n`);
  }
  for (let n = 0; n < edges; n++) {
    const [from, to] = [(n * 7919) % nodes, (n * 104_729 + Math.floor(n / nodes) + 1) % nodes];
    const data = { since: `2020-01-${String((n % 28) + 1).padStart(2, '0')}` };
    yield Buffer.from(`${JSON.stringify({ edge: 'Knows', from: email(from), to: email(to), data })}\n`);
  }
}
