import { Text } from '../parts/text.js';
import { openNode } from './actions.js';
import type { PageNode } from './graph-page.js';
import type { GraphShown } from './shown.js';

interface Props {
  readonly shown: Pick<GraphShown, 'surface' | 'page'>;
  readonly node: Pick<PageNode, 'name'> & { readonly type?: string };
}

/** The name of a node, which opens it. */
export function NodeButton({ shown, node }: Props) {
  return (
    <span class="node-link">
      <button type="button" class="plain link" onClick={() => void openNode(shown, node)}>
        <Text>{node.name}</Text>
      </button>
      {node.type !== undefined && (
        <span class="type">
          <Text>{node.type}</Text>
        </span>
      )}
    </span>
  );
}
