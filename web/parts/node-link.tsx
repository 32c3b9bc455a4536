import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { NodeRef } from '../api/types.js';
import { linkToNode } from '../state/address.js';
import { Text } from './text.js';

/** Whether names lead to the pages of their nodes; in a chat there are none. */
export const LinksNodes = createContext(true);

export function NodeLink({ node, showType = true }: { readonly node: NodeRef; readonly showType?: boolean }) {
  return (
    <span class="node-link">
      {useContext(LinksNodes) ? (
        <a href={linkToNode(node)}>
          <Text>{node.name}</Text>
        </a>
      ) : (
        <Text>{node.name}</Text>
      )}
      {showType && (
        <span class="type">
          <Text>{node.type}</Text>
        </span>
      )}
    </span>
  );
}
