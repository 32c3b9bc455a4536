import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { callTool } from '../../src/surfaces/dispatch.js';
import type { RequestContext } from '../../src/surfaces/request-context.js';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });

/** The tools of any surface without a client between; every answer is checked against its output schema. */
export class SurfaceTools {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  /** Calls a tool that must succeed. */
  async ok(name: string, args: object = {}): Promise<Record<string, unknown>> {
    const { isError, content, structuredContent } = await callTool(this.#context, name, args);
    expect(isError, JSON.stringify(content)).not.toBe(true);
    const schema = this.#context.surface.tools.find((tool) => tool.name === name)?.output?.();
    if (schema !== undefined) expect(ajv.validate(schema, structuredContent), ajv.errorsText()).toBe(true);
    return { ...structuredContent };
  }

  /** Calls a tool that must fail, and answers the error's text. */
  async error(name: string, args: object = {}): Promise<string> {
    const { isError, content } = await callTool(this.#context, name, args);
    expect(isError, JSON.stringify(content)).toBe(true);
    return content.map(({ text }) => text).join('\n');
  }
}
