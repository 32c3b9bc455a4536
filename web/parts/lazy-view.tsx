import type { ComponentType } from 'preact';
import { useLoad } from '../state/use-load.js';
import { Loading } from './loading.js';

/** A view whose code is loaded when somebody first opens it. */
export function lazyView<P = object>(name: string, load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return function LazyView(props) {
    const found = useLoad(['view', name], async () => ({ Component: await load() }), { isLive: false });
    return <Loading from={found}>{({ Component }) => <Component {...props} />}</Loading>;
  };
}
