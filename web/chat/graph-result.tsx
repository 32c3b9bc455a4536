import { useState } from 'preact/hooks';
import { Text } from '../parts/text.js';
import { isBusy, loadMore } from './actions.js';
import { keyOf } from './graph-page.js';
import { canCallTools } from './host.js';
import { NodeItem } from './node-item.js';
import type { GraphShown } from './shown.js';
import { SmallGraph } from './small-graph.js';

const shownFirst = 10;
const mostDrawn = 100;
const mostLines = 300;

/** The nodes that a tool returned, as a list or as a picture. */
export function GraphResult({ shown }: { readonly shown: GraphShown }) {
  const { page, from } = shown;
  const { nodes, edges, warnings, nextCursor } = page;
  const [count, setCount] = useState(shownFirst);
  const [isPicture, setPicture] = useState(false);
  const canDraw = edges.length > 0 && edges.length <= mostLines && nodes.length <= mostDrawn;
  const query = from?.arguments['query'];
  return (
    <>
      <div class="row spread">
        <h1>
          {nodes.length === 0 ? 'Nothing found' : nodes.length === 1 ? 'One node' : `${nodes.length} nodes`}
        </h1>
        {canDraw && (
          <button type="button" aria-pressed={isPicture} onClick={() => setPicture(!isPicture)}>
            Graph
          </button>
        )}
      </div>
      {warnings.map((warning) => (
        <p key={warning} class="notice">
          <Text>{warning}</Text>
        </p>
      ))}
      {isPicture && canDraw ? (
        <SmallGraph shown={shown} />
      ) : (
        <ol class="plain-list hits">
          {nodes.slice(0, count).map((node) => (
            <NodeItem
              key={keyOf(node)}
              shown={shown}
              node={node}
              words={typeof query === 'string' ? query : ''}
            />
          ))}
        </ol>
      )}
      {!isPicture && nodes.length > count && (
        <button type="button" onClick={() => setCount(4 * count)}>
          Show more ({nodes.length - count})
        </button>
      )}
      {nodes.length <= count && nextCursor !== undefined && from !== undefined && canCallTools() && (
        <button
          type="button"
          disabled={isBusy.value}
          onClick={() => void loadMore(shown, from, nextCursor).then(() => setCount(count + shownFirst))}
        >
          Load more
        </button>
      )}
    </>
  );
}
