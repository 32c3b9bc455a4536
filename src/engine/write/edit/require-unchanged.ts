import { TrellisError } from '../../../model/error.js';
import type { Node } from '../../../model/node.js';
import type { NodeTouch } from '../../../store/read-results.js';
import type { Reader } from '../../../store/reader.js';
import { NodesByName, nodeNotFound } from '../nodes-by-name.js';
import type { NodeTarget } from './edit-operation.js';

/** Throws `CHANGED_SINCE` if another commit than the given one was the last to touch the node, or it is gone. */
export async function requireUnchanged(reader: Reader, target: NodeTarget): Promise<Node> {
  const { name, ifCommit } = target;
  const node = (await NodesByName.load(reader, [target])).real(target);
  if (ifCommit === undefined) return node ?? nodeNotFound(target);
  if (node === undefined) throw changedSince(name);
  const touch = (await reader.lastTouched([node.id])).get(node.id);
  if (touch?.commit !== ifCommit) throw changedSince(name, touch);
  return node;
}

function changedSince(name: string, touch?: NodeTouch): TrellisError {
  const what = `Node ${JSON.stringify(name)}`;
  const hint = 'Nothing was written. Read the node again, and repeat the change if it still makes sense.';
  if (touch === undefined)
    return new TrellisError('CHANGED_SINCE', `${what} was deleted or renamed since you read it.`, { hint });
  const at = new Date(touch.time).toISOString();
  const { commit, actor } = touch;
  return new TrellisError('CHANGED_SINCE', `${what} was changed by ${actor} at ${at}, in commit ${commit}.`, {
    hint,
    details: { changed_by: { commit_id: commit, actor_id: actor, created_at: at } },
    withoutRead: { message: `${what} was changed since.`, hint },
  });
}
