import { visibleText } from '../../parts/text.js';

/** Text with the searched words marked. */
export function Highlighted({ text, words }: { readonly text: string; readonly words: string }) {
  const wanted = words.match(/[\p{L}\p{N}]+/gu) ?? [];
  const shown = visibleText(text);
  if (wanted.length === 0) return <bdi>{shown}</bdi>;
  // Longest first, so that "nodes" is not marked as "node" and an s. Words are letters and digits: nothing to escape.
  const pattern = new RegExp(`(${[...wanted].sort((a, b) => b.length - a.length).join('|')})`, 'giu');
  return (
    <bdi>
      {shown.split(pattern).map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))}
    </bdi>
  );
}
