import { useState } from 'preact/hooks';
import { Text } from '../../parts/text.js';
import { accept } from '../../state/reviewed.js';
import type { ActorGroup } from './group-changes.js';
import { InboxItem } from './inbox-item.js';

const shownFirst = 25;

export function ActorSection({ group }: { readonly group: ActorGroup }) {
  const { actor, entries } = group;
  const [shown, setShown] = useState(shownFirst);
  return (
    <section class="card" aria-label={`Changes by ${actor}`}>
      <div class="row spread">
        <h3>
          <Text>{actor}</Text> <span class="muted">{entries.length}</span>
        </h3>
        <button type="button" class="plain" onClick={() => accept(entries.flatMap(({ keys }) => keys))}>
          Accept all of <Text>{actor}</Text>
        </button>
      </div>
      <ul class="plain-list entries">
        {entries.slice(0, shown).map((entry) => (
          <InboxItem key={entry.keys[0]} entry={entry} />
        ))}
      </ul>
      {entries.length > shown && (
        <button type="button" onClick={() => setShown(shown + 100)}>
          Show more ({entries.length - shown})
        </button>
      )}
    </section>
  );
}
