import { useState } from 'preact/hooks';
import type { Changes } from '../api/types.js';
import { ChangesList } from '../parts/changes-list.js';
import { LinksNodes } from '../parts/node-link.js';
import { Text } from '../parts/text.js';
import { ConflictList, conflictKey, type Side } from '../views/branches/conflict-list.js';
import { attempt, isBusy } from './actions.js';
import { RefusedError, tryTool } from './call-tool.js';
import { canCallTools, tellModel } from './host.js';
import { loadChanges } from './load-changes.js';
import { type MergeShown, showInstead, toShown } from './shown.js';

const outcomes: Readonly<Record<string, readonly [preview: string, done: string]>> = {
  already_up_to_date: ['There is nothing to merge.', 'There was nothing to merge.'],
  fast_forward: ['It can be merged: only the source has changed.', 'Merged: only the source had changed.'],
  merged: ['It can be merged: the changes do not conflict.', 'Merged.'],
  conflicts: ['Nothing was merged: the branches conflict.', 'Nothing was merged: the branches conflict.'],
};

/** What a merge did or would do, and the decision about it. */
export function MergePreview({ shown }: { readonly shown: MergeShown }) {
  const { outcome, conflicts, request } = shown;
  const [source, target] = [String(request['source'] ?? 'source'), String(request['target'] ?? 'main')];
  const [sides, setSides] = useState<ReadonlyMap<string, Side>>(new Map());
  const [changes, setChanges] = useState<Changes>();
  const isOpen = outcome === 'conflicts' || (request['dry_run'] === true && outcome !== 'already_up_to_date');
  const isDecided = conflicts.every((conflict) => sides.has(conflictKey(conflict)));
  const text = outcomes[outcome]?.[request['dry_run'] === true ? 0 : 1] ?? outcome;
  return (
    <>
      <h1>
        Merge <Text>{source}</Text> into <Text>{target}</Text>
      </h1>
      <p class={outcome === 'conflicts' ? 'notice problem' : 'notice'}>{text}</p>
      {conflicts.length > 0 && (
        <ConflictList
          conflicts={conflicts}
          sides={sides}
          source={source}
          target={target}
          onChoose={(chosen) => setSides(new Map([...sides, ...chosen]))}
        />
      )}
      {changes !== undefined && (
        <LinksNodes.Provider value={false}>
          <ChangesList changes={changes} />
        </LinksNodes.Provider>
      )}
      {isOpen && canCallTools() && changes === undefined && (
        <button
          type="button"
          disabled={isBusy.value}
          onClick={() => void attempt(async () => setChanges(await loadChanges(source, target)))}
        >
          Show changes
        </button>
      )}
      {isOpen && canCallTools() && (
        <p>
          <button
            type="button"
            class="primary"
            disabled={!isDecided || isBusy.value}
            onClick={() => void merge(shown, sides)}
          >
            Merge
          </button>{' '}
          {!isDecided && <span class="muted">Choose a side of each conflict first.</span>}
        </p>
      )}
    </>
  );
}

async function merge(shown: MergeShown, sides: ReadonlyMap<string, Side>): Promise<void> {
  const { request, conflicts } = shown;
  const { source, target, delete_branch, resolutions: earlier } = request;
  const chosen = conflicts.map((conflict) => ({
    id: conflict.id,
    ...(conflict.property === undefined ? {} : { property: conflict.property }),
    take: sides.get(conflictKey(conflict)),
  }));
  const resolutions = [...(Array.isArray(earlier) ? earlier : []), ...chosen];
  const call = { name: 'branches_merge', arguments: { source, target, delete_branch, resolutions } };
  await attempt(async () => {
    const result = await tryTool(call);
    const next = toShown(result, call, call.arguments);
    if (next.kind !== 'merge') throw new RefusedError(result.texts.join(' '));
    showInstead(shown, next);
    if (next.outcome !== 'conflicts')
      tellModel(`The user merged ${JSON.stringify(source)} into ${JSON.stringify(target)}.`);
  });
}
