import type { ToolCall } from './call-tool.js';
import type { Fact, PageNode } from './graph-page.js';

type Node = Pick<PageNode, 'name' | 'type'>;

/** How to look further and correct on a surface, with the tools that it has. */
export interface SurfaceCalls {
  open(node: Pick<PageNode, 'name'> & Partial<Node>): ToolCall;
  search(text: string): ToolCall;
  add(node: Node, text: string): ToolCall;
  remove(node: Node, fact: Fact): ToolCall;
  /** In this order: the new text is there before the old one goes. */
  correct(node: Node, fact: Fact, text: string): readonly ToolCall[];
  /** Some facts are properties, which the tools cannot change. */
  canCorrect(fact: Fact): boolean;
}

const call = (name: string, args: ToolCall['arguments']): ToolCall => ({ name, arguments: args });
const typed = (key: string, type: string | undefined) => (type === undefined ? {} : { [key]: type });
const searchLimit = 50;

const memory: SurfaceCalls = {
  open: ({ name, type }) => call('open_nodes', { names: [name], ...typed('entityType', type) }),
  search: (query) => call('search_nodes', { query, mode: 'text', limit: searchLimit }),
  add: ({ name, type }, text) =>
    call('add_observations', { observations: [{ entityName: name, entityType: type, contents: [text] }] }),
  remove: ({ name, type }, { text }) =>
    call('delete_observations', {
      deletions: [{ entityName: name, entityType: type, observations: [text] }],
    }),
  correct: (node, fact, text) => [memory.add(node, text), memory.remove(node, fact)],
  canCorrect: () => true,
};

const mesh: SurfaceCalls = {
  open: memory.open,
  search: (query) => call('search_nodes', { query, limit: searchLimit }),
  add: ({ name, type }, text) => call('add_metadata', { nodeName: name, entityType: type, metadata: [text] }),
  remove: ({ name, type }, { text }) =>
    call('delete_metadata', { nodeName: name, entityType: type, metadata: [text] }),
  correct: (node, fact, text) => [mesh.add(node, text), mesh.remove(node, fact)],
  canCorrect: () => true,
};

const workspace: SurfaceCalls = {
  open: ({ name, type }) => call('open_nodes', { names: [name], ...typed('entity_type', type) }),
  search: (query) => call('search_nodes', { query, mode: 'hybrid', limit: searchLimit }),
  add: ({ name, type }, text) =>
    call('add_observations', { observations: [{ entity_name: name, entity_type: type, contents: [text] }] }),
  remove: ({ name, type }, { ordinal }) =>
    call('delete_observations', {
      deletions: [{ entity_name: name, entity_type: type, ordinals: [ordinal] }],
    }),
  correct: ({ name, type }, { ordinal }, text) => [
    call('replace_observation', { entity_name: name, entity_type: type, ordinal, new_content: text }),
  ],
  canCorrect: ({ ordinal = 0 }) => ordinal > 0,
};

export const surfaces = { memory, mesh, workspace };

export type SurfaceName = keyof typeof surfaces;
