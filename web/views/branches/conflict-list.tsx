import type { Conflict } from '../../api/types.js';
import { Text, valueText } from '../../parts/text.js';

export type Side = 'source' | 'target';

interface Props {
  readonly conflicts: readonly Conflict[];
  readonly sides: ReadonlyMap<string, Side>;
  readonly source: string;
  readonly target: string;
  readonly onChoose: (sides: readonly (readonly [string, Side])[]) => void;
}

const kinds: Readonly<Record<string, string>> = {
  divergent_insert: 'Both branches added it, with different values.',
  divergent_update: 'Both branches changed it, to different values.',
  delete_vs_update: 'One branch deleted it, the other changed it.',
  orphan_edge: 'One branch added a relation to a node that the other deleted.',
};

/** Each conflict with both sides and the common origin beside each other. */
export function ConflictList({ conflicts, sides, source, target, onChoose }: Props) {
  const chooseAll = (side: Side) =>
    onChoose(conflicts.filter(isResolvable).map((conflict) => [conflictKey(conflict), side] as const));
  return (
    <section aria-labelledby="conflicts">
      <div class="row spread">
        <h2 id="conflicts">{conflicts.length === 1 ? 'One conflict' : `${conflicts.length} conflicts`}</h2>
        <span class="row">
          <button type="button" onClick={() => chooseAll('target')}>
            Keep all of <Text>{target}</Text>
          </button>
          <button type="button" onClick={() => chooseAll('source')}>
            Take all of <Text>{source}</Text>
          </button>
        </span>
      </div>
      {conflicts.map((conflict) => (
        <fieldset key={conflictKey(conflict)} class="card conflict">
          <legend>
            <Text>{titleOf(conflict)}</Text>
          </legend>
          <p class="muted">
            <Text>{conflict.message ?? kinds[conflict.kind] ?? conflict.kind}</Text>
          </p>
          {isResolvable(conflict) && (
            <div class="sides">
              <div>
                <span class="muted">Before</span>
                <Value value={conflict.base} />
              </div>
              <Choice
                conflict={conflict}
                side="target"
                name={target}
                value={conflict.ours}
                chosen={sides.get(conflictKey(conflict))}
                onChoose={onChoose}
              />
              <Choice
                conflict={conflict}
                side="source"
                name={source}
                value={conflict.theirs}
                chosen={sides.get(conflictKey(conflict))}
                onChoose={onChoose}
              />
            </div>
          )}
        </fieldset>
      ))}
    </section>
  );
}

interface ChoiceProps {
  readonly conflict: Conflict;
  readonly side: Side;
  readonly name: string;
  readonly value: unknown;
  readonly chosen: Side | undefined;
  readonly onChoose: Props['onChoose'];
}

function Choice({ conflict, side, name, value, chosen, onChoose }: ChoiceProps) {
  const key = conflictKey(conflict);
  return (
    <label class={chosen === side ? 'chosen' : ''}>
      <span>
        <input type="radio" name={key} checked={chosen === side} onChange={() => onChoose([[key, side]])} />{' '}
        <Text>{name}</Text>
      </span>
      <Value value={value} />
    </label>
  );
}

function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="muted">(not there)</span>;
  return (
    <span class="stored">
      <Text>{valueText(value)}</Text>
    </span>
  );
}

export function conflictKey({ id, property }: Conflict): string {
  return `${id} ${property ?? ''}`;
}

/** What a schema refuses has no sides to choose from. */
function isResolvable({ message }: Conflict): boolean {
  return message === undefined;
}

/** `node/person/Ada` and `props.age` as a heading. */
function titleOf({ id, property }: Conflict): string {
  const [kind, ...parts] = id.split('/').map(decodeURIComponent);
  const subject = kind === 'node' ? `${parts.slice(1).join('/')} (${parts[0] ?? ''})` : parts.join(' — ');
  const what = property?.replace(/^props\./, '').replace(/^observations\.(\d+)$/, 'observation #$1');
  return what === undefined ? subject : `${subject}: ${what}`;
}
