import type { ApiError } from '../api/request.js';

/** What went wrong and what to do about it. */
export function Problem({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  return (
    <div class="notice problem" role="alert">
      <p>{error.message}</p>
      {error.hint !== undefined && <p class="muted">{error.hint}</p>}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
