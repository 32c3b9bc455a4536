import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../parts/problem.js';
import { asApiError } from '../../state/use-load.js';

/** The drawing library is most of the page, so it is loaded when somebody wants to see a graph. */
export function GraphView() {
  const [loaded, setLoaded] = useState<{ readonly Component?: ComponentType; readonly error?: unknown }>({});
  useEffect(() => {
    import('./graph-explorer.js').then(
      ({ GraphExplorer }) => setLoaded({ Component: GraphExplorer }),
      (error: unknown) => setLoaded({ error }),
    );
  }, []);
  if (loaded.error !== undefined) {
    return <Problem error={asApiError(loaded.error)} retry={() => location.reload()} />;
  }
  return loaded.Component === undefined ? <p class="muted">Loading…</p> : <loaded.Component />;
}
