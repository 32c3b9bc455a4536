import { address } from '../../state/address.js';
import { CommitList } from './commit-list.js';
import { CommitPage } from './commit-page.js';

/** The commits of a branch, or one of them. */
export function HistoryView() {
  const [id] = address.value.path;
  return id === undefined || id === '' ? <CommitList /> : <CommitPage id={id} />;
}
