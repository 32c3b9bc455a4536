import type { Props } from '../../model/json.js';
import { type ImportedNode, type ImportPlace, importOrigin, isoTime } from '../import-format.js';
import { shortId } from '../short-id.js';

export interface Turn {
  readonly role: string;
  readonly text: string;
  readonly time?: unknown;
}

export interface Conversation {
  /** The kind of the import. */
  readonly kind: string;
  readonly name: string;
  readonly source: string;
  readonly place: ImportPlace;
  readonly props: Props;
  readonly turns: readonly Turn[];
}

/** One node; its turns are observations in order, such as `2026-01-02T10:00:00.000Z user: Hello`. */
export function conversationNode(conversation: Conversation): ImportedNode {
  const { kind, name, source, place, props, turns } = conversation;
  return {
    ...{ kind: 'node', ...place, name, type: 'conversation', props },
    observations: turns.map(turnText),
    origin: importOrigin(kind, source, turns.at(-1)?.time),
  };
}

function turnText({ role, text, time }: Turn): string {
  const when = isoTime(time);
  return `${when === undefined ? '' : `${when} `}${role}: ${text}`;
}

/** A title that only this conversation has. */
export function conversationName(title: unknown, id: string): string {
  const words = typeof title === 'string' ? title.replaceAll(/\s+/g, ' ').trim().slice(0, 200) : '';
  return `${words === '' ? 'Conversation' : words.toWellFormed()} (${shortId(id)})`;
}

/** The texts of a list of content blocks, or the text that the content is. */
export function blockTexts(content: unknown, types: readonly string[]): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((block: unknown) => {
      if (typeof block === 'string') return [block];
      if (typeof block !== 'object' || block === null || !('type' in block) || !('text' in block)) return [];
      return types.includes(String(block.type)) && typeof block.text === 'string' ? [block.text] : [];
    })
    .join('\n')
    .trim();
}

/** Texts that are there; an export has null or nothing for the others. */
export function textProps(values: Readonly<Record<string, unknown>>): Props {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      typeof value === 'string' && value !== '' ? [[key, value]] : [],
    ),
  );
}
