import { useId, useState } from 'preact/hooks';
import { api } from '../api/graph-api.js';
import type { NodeRef } from '../api/types.js';
import { graphName } from '../state/address.js';
import { useLoad } from '../state/use-load.js';
import { visibleText } from './text.js';

interface Props {
  readonly label: string;
  readonly onPick: (node: NodeRef | undefined) => void;
}

/** A field for the name of a node, with suggestions while one types. */
export function NodePicker({ label, onPick }: Props) {
  const id = useId();
  const [text, setText] = useState('');
  const found = useLoad(
    ['pick', graphName.value, text],
    async (signal) =>
      text === '' ? { hits: [] } : api.value.search({ q: text, mode: 'text', limit: 20 }, signal),
    { isLive: false },
  );
  const hits = found.data?.hits ?? [];
  const typed = (given: string) => {
    setText(given);
    // Suggestions say the type behind the name, so that namesakes can be told apart.
    const hit = hits.find((node) => labelOf(node) === given) ?? hits.find(({ name }) => name === given);
    onPick(hit ?? (given === '' ? undefined : { name: given, type: '' }));
  };
  return (
    <label class="stack-label" for={`${id}-input`}>
      {label}
      <input
        id={`${id}-input`}
        list={id}
        value={text}
        autocomplete="off"
        onInput={({ currentTarget }) => typed(currentTarget.value)}
      />
      <datalist id={id}>
        {hits.map((node) => (
          <option key={labelOf(node)} value={labelOf(node)} />
        ))}
      </datalist>
    </label>
  );
}

function labelOf({ name, type }: NodeRef): string {
  return visibleText(`${name} (${type})`);
}
