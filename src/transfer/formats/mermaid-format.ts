import type { DrawingFormat } from './drawing-format.js';

/** For Markdown pages that draw Mermaid. */
export const mermaidFormat: DrawingFormat = {
  head: 'flowchart LR\n',
  node: (id, { name, type }) => `  n${id}[${quote(type === '' ? name : `${name}\n${type}`)}]\n`,
  edge: (from, to, { type }) => `  n${from} -->${type === '' ? '' : `|${quote(type)}|`} n${to}\n`,
  tail: '',
};

/** Mermaid takes decimal entities without `&`; anything else that could be markup is written as one. */
function quote(text: string): string {
  const escaped = (text === '' ? ' ' : text)
    .replaceAll(/[^\p{L}\p{N}\p{M}\p{Zs}\p{Extended_Pictographic}.,:!?'()/+=_\n\r-]/gu, (character) =>
      /\p{Cc}/u.test(character) ? '\uFFFD' : `#${character.codePointAt(0)};`,
    )
    .replaceAll(/\r\n?|\n/g, '<br/>');
  return `"${escaped}"`;
}
