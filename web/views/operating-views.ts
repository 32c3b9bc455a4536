/** Views that few readers open: together in a file of their own, loaded with the first of them. */
export { AdminView } from './admin/admin-view.js';
export { GateView } from './gate/gate-view.js';
export { QueryView } from './query/query-view.js';
