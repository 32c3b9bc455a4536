import { z } from 'zod';
import { jsonTextAsync } from '../json-text.js';
import { defineTool, jsonText, type Tool, type ToolDefinition } from '../tool.js';
import { fitList } from './fit-list.js';

/** What may stand beside a list. */
const listExtras = {
  degraded: z.boolean().optional().describe('True if another search mode than the requested one was used'),
  warnings: z.array(z.string()).optional(),
  nextCursor: z.string().optional().describe('Pass as cursor to get the next page; absent on the last'),
};

const limitShape = z.object({ limit: z.number().optional() });

/** A list, and what there is to say about it. */
export interface ListOutput<T> {
  readonly results: T[];
  readonly degraded?: boolean;
  readonly warnings?: string[];
  readonly nextCursor?: string;
}

export interface ListToolDefinition<I extends z.ZodObject, T extends z.ZodObject>
  extends Omit<ToolDefinition<I, z.ZodObject>, 'output' | 'run' | 'text'> {
  /** What each item of the list is. */
  readonly item: T;
  run(...call: Parameters<Tool<z.output<I>>['run']>): Promise<ListOutput<z.output<T>>>;
}

/**
 * Makes a tool that answers a list: the text is that list as JSON, and the structured answer, which must be an object,
 * has it as `results`. What stands beside it comes in a second block of text.
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
