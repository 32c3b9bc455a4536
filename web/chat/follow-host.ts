import { effect } from '@preact/signals';
import { hostContext, link } from './host.js';
import { isRecord } from './host-link.js';

/** Takes on the theme and the styles of the host. */
export function followLook(): void {
  effect(() => {
    const { theme, styles, safeAreaInsets: insets } = hostContext.value;
    const { dataset, style } = document.documentElement;
    if (theme === 'light' || theme === 'dark') dataset['theme'] = theme;
    const variables = isRecord(styles) && isRecord(styles['variables']) ? styles['variables'] : {};
    for (const [name, value] of Object.entries(variables))
      if (name.startsWith('--') && typeof value === 'string') style.setProperty(name, value);
    if (isRecord(insets))
      document.body.style.padding = ['top', 'right', 'bottom', 'left']
        .map((side) => `${Number(insets[side]) || 0}px`)
        .join(' ');
  });
}

/** Tells the host how much room the content needs, whenever that changes. */
export function reportSize(): void {
  let last = '';
  const report = () => {
    const { width, height } = document.body.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    if (JSON.stringify(size) === last) return;
    last = JSON.stringify(size);
    link.notify('ui/notifications/size-changed', size);
  };
  new ResizeObserver(report).observe(document.body);
  report();
}
