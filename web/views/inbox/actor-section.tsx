import { useState } from 'preact/hooks';
import { Text } from '../../parts/text.js';
import { accept } from '../../state/reviewed.js';
import type { ActorGroup } from './group-changes.js';
import { InboxItem } from './inbox-item.js';

const shownFirst = 25;

export function ActorSection({ group }: { readonly group: ActorGroup }) {
  const { actor, entries } = group;
  const [shown, setShown] = useState(shownFirst);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const visible = entries.slice(0, shown);
  const isAllOpen = visible.every(({ keys }) => open.has(keys[0] ?? ''));
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <section class="card" aria-label={`Changes by ${actor}`}>
      <div class="row spread">
        <h3>
          <Text>{actor}</Text> <span class="muted">{entries.length}</span>
        </h3>
        <span class="row">
          <button
            type="button"
            class="plain"
            onClick={() => setOpen(new Set(isAllOpen ? [] : visible.map(({ keys }) => keys[0] ?? '')))}
          >
            {isAllOpen ? 'Hide all' : 'Show all'}
          </button>
          <button type="button" class="plain" onClick={() => accept(entries.flatMap(({ keys }) => keys))}>
            Accept all of <Text>{actor}</Text>
          </button>
        </span>
      </div>
      <ul class="plain-list entries">
        {visible.map((entry) => {
          const key = entry.keys[0] ?? '';
          return <InboxItem key={key} entry={entry} isOpen={open.has(key)} onToggle={() => toggle(key)} />;
        })}
      </ul>
      {entries.length > shown && (
        <button type="button" onClick={() => setShown(shown + 100)}>
          Show more ({entries.length - shown})
        </button>
      )}
    </section>
  );
}
