import { useEffect } from 'preact/hooks';
import { address, graphName, linkTo } from '../state/address.js';
import { views } from '../views/view-list.js';
import { visibleText } from './text.js';

/** The view that the address names. */
export function ViewFrame() {
  const { view: name, path } = address.value;
  const part = path.at(-1);
  const view = views.find((candidate) => candidate.name === name);
  const graph = graphName.value;
  useEffect(() => {
    const parts = [part, view?.title ?? 'Not found', graph, 'Trellis'];
    document.title = visibleText(parts.filter((text) => text !== undefined).join(' · '));
  }, [view, graph, part]);
  if (view === undefined) {
    return (
      <p class="notice">
        There is no such page. Go to the <a href={linkTo('inbox')}>inbox</a>.
      </p>
    );
  }
  return <view.component />;
}
