import type { ComponentChildren } from 'preact';

interface Props {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Scrolls what is too large for the page. */
export function ScrollBox({ label, children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, arrow keys do not scroll it.
    <section class="scroll-box" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
