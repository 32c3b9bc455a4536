import type { NodeRef } from '../api/types.js';
import { linkToNode } from '../state/address.js';
import { Text } from './text.js';

export function NodeLink({ node, showType = true }: { readonly node: NodeRef; readonly showType?: boolean }) {
  return (
    <span class="node-link">
      <a href={linkToNode(node)}>
        <Text>{node.name}</Text>
      </a>
      {showType && (
        <span class="type">
          <Text>{node.type}</Text>
        </span>
      )}
    </span>
  );
}
