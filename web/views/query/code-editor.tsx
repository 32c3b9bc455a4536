import { useId, useRef, useState } from 'preact/hooks';
import { type Completions, completionsAt, type KnownNames } from './completion.js';
import { CompletionList } from './completion-list.js';
import { MarkedSource } from './marked-source.js';
import { ProblemList } from './problem-list.js';
import type { SourceProblem } from './query-api.js';
import { offsetOf } from './source-position.js';

interface Props {
  readonly source: string;
  readonly problems: readonly SourceProblem[];
  readonly names: KnownNames;
  readonly onInput: (text: string) => void;
  readonly onRun: () => void;
}

interface Open extends Completions {
  readonly chosen: number;
}

/** A text field with line numbers, marks below mistakes, and completion. */
export function CodeEditor({ source, problems, names, onInput, onRun }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const back = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<Open>();
  const id = useId();
  const lines = source.split('\n');
  const wrong = new Set(problems.map(({ line }) => line));

  const offer = (text: string, cursor: number, isAsked: boolean) => {
    const found = completionsAt(text, cursor, names);
    const hasStarted = cursor > found.from || /[.:] ?$/.test(text.slice(0, cursor));
    setOpen(found.options.length > 0 && (isAsked || hasStarted) ? { ...found, chosen: 0 } : undefined);
  };
  const replace = (from: number, to: number, text: string) => {
    if (field.current === null) return;
    // At once, with the cursor behind it: the next key may come before the page is drawn again.
    field.current.focus();
    field.current.setRangeText(text, from, to, 'end');
    onInput(field.current.value);
    setOpen(undefined);
  };
  const select = (from: number, to = from) => {
    field.current?.focus();
    field.current?.setSelectionRange(from, to);
  };
  const pick = (index: number) => {
    const option = open?.options[index];
    if (open !== undefined && option !== undefined)
      replace(open.from, field.current?.selectionStart ?? open.from, option.text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
      event.preventDefault();
      setOpen(undefined);
      onRun();
    } else if (event.ctrlKey && event.key === ' ') {
      event.preventDefault();
      offer(field.current?.value ?? source, field.current?.selectionStart ?? 0, true);
    } else if (open !== undefined) {
      const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (move !== undefined) {
        const { length } = open.options;
        setOpen({ ...open, chosen: (open.chosen + move + length) % length });
      } else if (event.key === 'Enter' || event.key === 'Tab') pick(open.chosen);
      else if (event.key === 'Escape') setOpen(undefined);
      else return;
      event.preventDefault();
    }
  };
  return (
    <>
      <div class="code-editor">
        <div class="code-clip" aria-hidden="true">
          <div class="code-back" ref={back}>
            <ol class="gutter">
              {lines.map((_, index) => (
                <li key={index} class={wrong.has(index + 1) ? 'wrong' : ''}>
                  {index + 1}
                </li>
              ))}
            </ol>
            <MarkedSource source={source} problems={problems} />
          </div>
        </div>
        <textarea
          ref={field}
          class="code"
          aria-label="Query"
          aria-autocomplete="list"
          aria-controls={`${id}-completions`}
          aria-describedby={`${id}-problems`}
          aria-invalid={problems.length > 0}
          {...(open === undefined ? {} : { 'aria-activedescendant': `${id}-option-${open.chosen}` })}
          wrap="off"
          spellcheck={false}
          autocapitalize="off"
          rows={Math.min(Math.max(lines.length + 1, 8), 28)}
          value={source}
          onInput={({ currentTarget: { value, selectionStart } }) => {
            onInput(value);
            offer(value, selectionStart, false);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(undefined)}
          onClick={() => setOpen(undefined)}
          onScroll={({ currentTarget: { scrollTop, scrollLeft } }) => {
            if (back.current !== null) back.current.style.translate = `${-scrollLeft}px ${-scrollTop}px`;
          }}
        />
        <CompletionList
          id={id}
          options={open?.options ?? []}
          chosen={open?.chosen ?? 0}
          source={source}
          at={open?.from ?? 0}
          field={field.current}
          onPick={pick}
        />
      </div>
      <ProblemList
        id={`${id}-problems`}
        problems={problems}
        onGo={({ line, column }) => select(offsetOf(source, line, column))}
        onFix={({ line, column, suggestion = '' }) => {
          const at = offsetOf(source, line, column);
          const { length } = /^[$`@]?\w*`?/.exec(source.slice(at))?.[0] ?? '';
          replace(at, at + length, suggestion);
        }}
      />
    </>
  );
}
