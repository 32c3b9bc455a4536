import { may } from '../state/server.js';
import { type View, views } from '../views/view-list.js';

/** The views of the navigation, as far as the policy allows them. */
export function offeredViews(): readonly View[] {
  return views.filter(({ key, needs }) => key !== undefined && (needs === undefined || needs.some(may)));
}
