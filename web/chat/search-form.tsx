import { useState } from 'preact/hooks';
import { isBusy, search } from './actions.js';
import { canCallTools } from './host.js';
import type { SurfaceName } from './surfaces.js';

export function SearchForm({ surface }: { readonly surface: SurfaceName }) {
  const [text, setText] = useState('');
  if (!canCallTools()) return null;
  return (
    <search>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void search(surface, text);
        }}
      >
        <input
          type="search"
          aria-label="Search for"
          placeholder="Search this memory"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" disabled={text.trim() === '' || isBusy.value}>
          Search
        </button>
      </form>
    </search>
  );
}
