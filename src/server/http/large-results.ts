import { randomUUID } from 'node:crypto';
import type { ToolResult } from '../../surfaces/dispatch.js';
import { jsonChunks } from '../../surfaces/json-chunks.js';

/** Shorter results are printed by the SDK, at once. */
const minLength = 100_000;

/**
 * The large results of one request. The SDK prints a response in one go, which would block everybody for as long as that
 * takes; so it gets a short result with a ticket instead, and the large one is printed in its place in time slices.
 */
export class LargeResults {
  readonly #held = new Map<string, ToolResult>();

  get isEmpty(): boolean {
    return this.#held.size === 0;
  }

  /** Returns the result, or a short one that stands for it. */
  replace(result: ToolResult): ToolResult {
    let length = 0;
    for (const { text } of result.content) length += text.length;
    if (length < minLength) return result;
    const ticket = randomUUID();
    this.#held.set(ticketText(ticket), result);
    return { content: [{ type: 'text', text: ticket }] };
  }

  /** The bytes of a response, with the large results in the places of their tickets. */
  async restore(response: string): Promise<Uint8Array<ArrayBuffer>[]> {
    const encoder = new TextEncoder();
    const places = [...this.#held]
      .map(([ticket, result]) => ({ ticket, result, at: response.indexOf(ticket) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let from = 0;
    for (const { ticket, result, at } of places) {
      chunks.push(encoder.encode(response.slice(from, at)));
      for (const chunk of withoutBraces(await jsonChunks(result))) chunks.push(chunk);
      from = at + ticket.length;
    }
    chunks.push(encoder.encode(response.slice(from)));
    return chunks;
  }
}

/** As the SDK prints it. */
function ticketText(ticket: string): string {
  return JSON.stringify({ content: [{ type: 'text', text: ticket }] }).slice(1, -1);
}

function withoutBraces(chunks: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer>[] {
  return chunks.map((chunk, index) =>
    chunk.subarray(index === 0 ? 1 : 0, index === chunks.length - 1 ? -1 : chunk.length),
  );
}
