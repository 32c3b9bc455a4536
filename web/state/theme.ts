import { effect, signal } from '@preact/signals';

const key = 'trellis.theme';
const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = signal<Theme>(themes.find((name) => name === localStorage.getItem(key)) ?? 'system');

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
}

export function followTheme(): void {
  effect(() => {
    localStorage.setItem(key, theme.value);
    document.documentElement.dataset['theme'] = theme.value;
  });
}
