import { useEffect } from 'preact/hooks';
import { address, graphName, linkTo } from '../state/address.js';
import { views } from '../views/view-list.js';

/** The view that the address names. */
export function ViewFrame() {
  const { view: name } = address.value;
  const view = views.find((candidate) => candidate.name === name);
  const graph = graphName.value;
  useEffect(() => {
    document.title = `${view?.title ?? 'Not found'} · ${graph} · Trellis`;
  }, [view, graph]);
  if (view === undefined) {
    return (
      <p class="notice">
        There is no such page. Go to the <a href={linkTo('inbox')}>inbox</a>.
      </p>
    );
  }
  return <view.component />;
}
