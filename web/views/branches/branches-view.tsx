import { address } from '../../state/address.js';
import { BranchList } from './branch-list.js';
import { MergeReview } from './merge-review.js';

/** All branches, or the review of one. */
export function BranchesView() {
  const [source] = address.value.path;
  if (source === undefined || source === '') return <BranchList />;
  return <MergeReview key={source} source={source} />;
}
