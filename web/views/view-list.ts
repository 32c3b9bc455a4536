import type { ComponentType } from 'preact';
import { lazyView } from '../parts/lazy-view.js';
import { BranchesView } from './branches/branches-view.js';
import { HistoryView } from './history/history-view.js';
import { InboxView } from './inbox/inbox-view.js';
import { NodeView } from './node/node-view.js';
import { SearchView } from './search/search-view.js';

export interface View {
  /** As in the address. */
  readonly name: string;
  readonly title: string;
  readonly component: ComponentType;
  /** Pressed after `g`. Views without a key are reached by links, not by the navigation. */
  readonly key?: string;
  /** The view is offered to whoever may do one of these; left out, to everybody. */
  readonly needs?: readonly string[];
}

/** Every view. To add one, write its component and enter it here. */
export const views: readonly View[] = [
  { name: 'inbox', title: 'Inbox', key: 'i', component: InboxView },
  { name: 'search', title: 'Search', key: 's', component: SearchView },
  { name: 'node', title: 'Node', component: NodeView },
  {
    name: 'graph',
    title: 'Graph',
    key: 'g',
    component: lazyView('graph', async () => (await import('./drawing-views.js')).GraphExplorer),
  },
  { name: 'history', title: 'History', key: 'h', component: HistoryView },
  { name: 'branches', title: 'Branches', key: 'b', component: BranchesView },
  {
    name: 'query',
    title: 'Query',
    key: 'q',
    needs: ['read', 'invoke_query'],
    component: lazyView('query', async () => (await import('./operating-views.js')).QueryView),
  },
  {
    name: 'gate',
    title: 'Gate',
    key: 't',
    needs: ['gate_write', 'schema_apply'],
    component: lazyView('gate', async () => (await import('./operating-views.js')).GateView),
  },
  {
    name: 'admin',
    title: 'Admin',
    key: 'a',
    needs: ['graph_admin', 'read'],
    component: lazyView('admin', async () => (await import('./operating-views.js')).AdminView),
  },
];
