import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly class: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Edits something in place: starts in the first field, Ctrl+Enter saves, Escape closes, and the focus goes back. */
export function EditForm({ class: name, onSubmit, onClose, children }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    // The button that opened the form is gone while it is open, so the focus goes to the one in its place.
    const place = form.current?.closest('li, section');
    return () => requestAnimationFrame(() => place?.querySelector('button')?.focus());
  }, []);
  return (
    <form
      ref={form}
      class={name}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit();
      }}
    >
      {children}
    </form>
  );
}
