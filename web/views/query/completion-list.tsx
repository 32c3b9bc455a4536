import { visibleText } from '../../parts/text.js';
import type { Completion } from './completion.js';
import { lineAndColumn } from './source-position.js';

interface Props {
  readonly id: string;
  readonly options: readonly Completion[];
  readonly chosen: number;
  readonly source: string;
  /** The offset of the word that is completed. */
  readonly at: number;
  readonly field: HTMLTextAreaElement | null;
  readonly onPick: (index: number) => void;
}

/** Below the word that is being written. */
export function CompletionList({ id, options, chosen, source, at, field, onPick }: Props) {
  const { line, column } = lineAndColumn(source, at);
  const { scrollTop = 0, scrollLeft = 0 } = field ?? {};
  return (
    <div
      id={`${id}-completions`}
      class="completions code"
      role="listbox"
      aria-label="Completions"
      hidden={options.length === 0}
      style={{
        top: `calc(${line + 1}lh + 0.5rem - ${scrollTop}px)`,
        left: `calc(3.5rem + ${column}ch - ${scrollLeft}px)`,
      }}
    >
      {options.map(({ text, detail }, index) => (
        <div
          key={text}
          id={`${id}-option-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          ref={(item) => {
            if (index === chosen) item?.scrollIntoView({ block: 'nearest' });
          }}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onPick(index);
          }}
        >
          {visibleText(text)} <span class="muted">{visibleText(detail)}</span>
        </div>
      ))}
    </div>
  );
}
