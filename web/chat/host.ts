import { signal } from '@preact/signals';
import { HostLink, isRecord, type Params } from './host-link.js';

const protocolVersion = '2026-01-26';

export const link = new HostLink(window.parent);

/** What the host says of itself and the place it gives the page. */
export const hostContext = signal<Params>({});
export const hostCapabilities = signal<Params>({});

/** Introduces the page; then the host sends what to show. */
export async function connect(): Promise<void> {
  link.on('ui/notifications/host-context-changed', (changed) => {
    hostContext.value = { ...hostContext.value, ...changed };
  });
  const answer = await link.request('ui/initialize', {
    protocolVersion,
    appInfo: { name: 'trellis-explorer', title: 'Trellis explorer', version: APP_VERSION },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  });
  const { hostCapabilities: can, hostContext: context } = isRecord(answer) ? answer : {};
  hostCapabilities.value = isRecord(can) ? can : {};
  hostContext.value = isRecord(context) ? context : {};
  link.notify('ui/notifications/initialized', {});
}

/** Whether the page may call tools of the server. */
export function canCallTools(): boolean {
  return isRecord(hostCapabilities.value['serverTools']);
}

export function canFillScreen(): boolean {
  const { availableDisplayModes: modes, displayMode } = hostContext.value;
  return Array.isArray(modes) && modes.includes('fullscreen') && displayMode !== 'fullscreen';
}

export async function fillScreen(): Promise<void> {
  const answer = await link.request('ui/request-display-mode', { mode: 'fullscreen' });
  if (isRecord(answer)) hostContext.value = { ...hostContext.value, displayMode: answer['mode'] };
}

/** Tells the model what the person did here, where the host allows it. */
export function tellModel(text: string): void {
  if (!isRecord(hostCapabilities.value['updateModelContext'])) return;
  // A host that declines says so to nobody: the change itself is done.
  link.request('ui/update-model-context', { content: [{ type: 'text', text }] }).catch(() => {});
}
