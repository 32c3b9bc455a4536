import { z } from 'zod';
import { nextCursorOutput } from '../common-shapes.js';
import { jsonTextAsync } from '../json-text.js';
import { defineTool, jsonText, type Tool, type ToolDefinition } from '../tool.js';
import { fitList } from './fit-list.js';

const listExtras = {
  degraded: z.boolean().optional().describe('True if another search mode than the requested one was used'),
  warnings: z.array(z.string()).optional(),
  nextCursor: nextCursorOutput,
};

const limitShape = z.object({ limit: z.number().optional() });

export interface ListOutput<T> {
  readonly results: T[];
  readonly degraded?: boolean;
  readonly warnings?: string[];
  readonly nextCursor?: string;
}

interface ListToolDefinition<I extends z.ZodObject, T extends z.ZodObject>
  extends Omit<ToolDefinition<I, z.ZodObject>, 'output' | 'run' | 'text'> {
  readonly item: T;
  run(...call: Parameters<Tool<z.output<I>>['run']>): Promise<ListOutput<z.output<T>>>;
}

/**
 * The text is the list as JSON; the structured result, which must be an object, has it as `results`. Warnings and the
 * cursor come in a second block of text.
 */
export function defineListTool<I extends z.ZodObject, T extends z.ZodObject>({
  item,
  ...definition
}: ListToolDefinition<I, T>): Tool<z.output<I>> {
  const output = z.object({ results: z.array(item), ...listExtras });
  return defineTool<I, z.ZodObject>({
    ...definition,
    output,
    async run(call, args) {
      const run = async (changed: z.output<I>) => ({ ...(await definition.run(call, changed)) });
      const isList = definition.annotations.readOnlyHint && 'limit' in definition.input.shape;
      if (!isList) return run(args);
      const { limit } = limitShape.parse(args);
      return {
        ...(await fitList((asked) => run(asked === limit ? args : { ...args, limit: asked }), limit)),
      };
    },
    text: async ({ results, ...rest }) => [
      await jsonTextAsync(results),
      ...(Object.keys(rest).length === 0 ? [] : [jsonText(rest)]),
    ],
  });
}
