import { signal } from '@preact/signals';
import { views } from '../views/view-list.js';
import { address, goTo, linkTo } from './address.js';
import { undoLast } from './toasts.js';

export const showsHelp = signal(false);
/** Whether `g` was pressed, which the letter of a view follows. */
let isGoing = false;

export function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.altKey || isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === 'z') undoLast();
      return;
    }
    if (isGoing) {
      isGoing = false;
      const view = views.find(({ key }) => key === event.key);
      if (view === undefined) return;
      goTo(linkTo(view.name));
      document.getElementById('main')?.focus();
      return;
    }
    if (event.key === 'g') isGoing = true;
    else if (event.key === '?') showsHelp.value = true;
    else if (event.key === '/') {
      event.preventDefault();
      focusSearch();
    }
  });
}

function focusSearch(): void {
  if (address.value.view !== 'search') goTo(linkTo('search'));
  // The view is drawn in a microtask: the box is there behind it, and before the next key.
  queueMicrotask(() => {
    const box = document.querySelector<HTMLInputElement>('input[type=search]');
    box?.focus();
    box?.select();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
