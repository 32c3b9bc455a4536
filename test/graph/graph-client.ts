import type { Client } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { withClient } from '../server/helpers.js';

export interface Conflict {
  readonly kind: string;
  readonly id: string;
  readonly property?: string;
  readonly base?: unknown;
  readonly ours?: unknown;
  readonly theirs?: unknown;
}

/** The tools of one endpoint, called by a real client; every answer is checked against the schema the tool was listed with. */
export class GraphClient {
  readonly url: string;
  readonly #headers: Record<string, string>;
  readonly #ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });

  constructor(url: string, headers: Record<string, string> = {}) {
    this.url = url;
    this.#headers = headers;
  }

  with<T>(work: (client: Client) => Promise<T>): Promise<T> {
    return withClient(this.url, work, { headers: this.#headers });
  }

  async names(): Promise<string[]> {
    return this.with(async (client) => (await client.listTools()).tools.map(({ name }) => name));
  }

  /** Calls a tool that must succeed. */
  async ok(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return this.with(async (client) => {
      const { tools } = await client.listTools();
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false, textOf(result)).toBe(false);
      const schema = tools.find((tool) => tool.name === name)?.outputSchema;
      if (schema === undefined) throw new Error(`${name} is not listed, or has no output schema.`);
      const { $schema: _, ...rest } = schema;
      const validate = this.#ajv.compile(rest);
      expect(validate(result.structuredContent), this.#ajv.errorsText(validate.errors)).toBe(true);
      if (!this.url.includes('/memory/'))
        expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
      return result.structuredContent as Record<string, unknown>;
    });
  }

  /** Calls a tool that must fail with an answer; its text blocks. */
  async error(name: string, args: Record<string, unknown> = {}): Promise<string[]> {
    return this.with(async (client) => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError, textOf(result)).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      return blocksOf(result);
    });
  }

  /** Calls branches_merge, which must be refused; its conflicts. */
  async conflicts(args: Record<string, unknown>): Promise<Conflict[]> {
    const [, list = '{}'] = await this.error('branches_merge', args);
    return (JSON.parse(list) as { conflicts: Conflict[] }).conflicts;
  }

  /** What the protocol says to a call that is no call of a tool. */
  async refusal(name: string, args: Record<string, unknown> = {}): Promise<unknown> {
    return this.with((client) =>
      client.callTool({ name, arguments: args }).then(
        () => 'no refusal',
        ({ code, message }: { code: unknown; message: unknown }) => ({ code, message }),
      ),
    );
  }

  async resource(uri: string): Promise<unknown> {
    const { contents } = await this.with((client) => client.readResource({ uri }));
    const [content] = contents;
    expect(content?.uri).toBe(uri);
    return JSON.parse(content !== undefined && 'text' in content ? content.text : '');
  }
}

function blocksOf({ content }: { content: readonly unknown[] }): string[] {
  return content.map((block) => (block as { text: string }).text);
}

function textOf(result: { content: readonly unknown[] }): string {
  return blocksOf(result)[0] ?? '';
}
