import { lazyView } from '../../parts/lazy-view.js';
import { nodesInRows } from './nodes-in-rows.js';
import type { Values } from './query-api.js';

const ResultDrawing = lazyView(
  'result-drawing',
  async () => (await import('../drawing-views.js')).ResultDrawing,
);

export function ResultGraph({ rows }: { readonly rows: readonly Values[] }) {
  const names = nodesInRows(rows);
  if (names.length === 0) {
    return (
      <p class="muted">
        There is no node among the columns. To draw nodes, return them whole:{' '}
        <code>return {'{ $p, $c }'}</code>.
      </p>
    );
  }
  return <ResultDrawing names={names} />;
}
