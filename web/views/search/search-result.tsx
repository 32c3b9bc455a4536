import type { SearchHit } from '../../api/types.js';
import { NodeLink } from '../../parts/node-link.js';
import { Text } from '../../parts/text.js';
import { Time } from '../../parts/time.js';
import { Highlighted } from './highlighted.js';

const mostMatches = 5;

export function SearchResult({ hit, words }: { readonly hit: SearchHit; readonly words: string }) {
  const { summary, tags = [], matches, actor_id, updated_at, confidence } = hit;
  return (
    <li class="hit">
      <div class="row spread">
        <span>
          <NodeLink node={hit} />
          {tags.map((tag) => (
            <span key={tag} class="tag">
              <Text>{tag}</Text>
            </span>
          ))}
        </span>
        <span class="muted">
          {confidence !== undefined && `confidence ${confidence.toFixed(2)} · `}
          <Text>{actor_id}</Text> · <Time at={updated_at} />
        </span>
      </div>
      {summary !== undefined && (
        <p class="stored clamp">
          <Highlighted text={summary} words={words} />
        </p>
      )}
      <ul class="plain-list matches">
        {matches.slice(0, mostMatches).map(({ ordinal, field, text }) => (
          <li key={`${ordinal}/${field}`} class="stored clamp">
            <span class="muted">{ordinal === undefined ? <Text>{field ?? ''}</Text> : `#${ordinal}`}</span>{' '}
            <Highlighted text={text} words={words} />
          </li>
        ))}
      </ul>
    </li>
  );
}
