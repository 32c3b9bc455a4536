import { signal } from '@preact/signals';
import { views } from '../views/view-list.js';
import { goTo, linkTo } from './address.js';

export const showsHelp = signal(false);
/** Whether `g` was pressed, which the letter of a view follows. */
let isGoing = false;

export function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    if (isGoing) {
      isGoing = false;
      const view = views.find(({ key }) => key === event.key);
      if (view !== undefined) goTo(linkTo(view.name));
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
  const box = document.querySelector<HTMLInputElement>('input[type=search]');
  box?.focus();
  box?.select();
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
}
