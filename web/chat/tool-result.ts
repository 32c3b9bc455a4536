import { isRecord, type Params } from './host-link.js';

export interface ToolResult {
  readonly structured: Params | undefined;
  /** What the tool says in words. */
  readonly texts: readonly string[];
  readonly isError: boolean;
}

export function parseToolResult(given: unknown): ToolResult {
  const { content, structuredContent, isError } = isRecord(given) ? given : {};
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.flatMap((block) =>
    isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : [],
  );
  const structured = isRecord(structuredContent) ? structuredContent : parseJson(texts.at(-1));
  return { structured, texts, isError: isError === true };
}

/** Some hosts drop `structuredContent`; the text says the same. */
function parseJson(text = ''): Params | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
