import type { ComponentType } from 'preact';
import { useLoad } from '../state/use-load.js';
import { Loading } from './loading.js';

/** A view whose code is loaded when somebody first opens it. */
export function lazyView(name: string, load: () => Promise<ComponentType>): ComponentType {
  return function LazyView() {
    const found = useLoad(['view', name], async () => ({ Component: await load() }), { isLive: false });
    return <Loading from={found}>{({ Component }) => <Component />}</Loading>;
  };
}
