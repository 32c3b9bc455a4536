import type { ComponentChildren } from 'preact';
import type { Loaded } from '../state/use-load.js';
import { Problem } from './problem.js';

interface Props<T> {
  readonly from: Loaded<T>;
  /** Show nothing where the policy denies it or the server has no such route. */
  readonly isOptional?: boolean;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows what was loaded, or why it is not there. */
export function Loading<T>({ from, isOptional = false, children }: Props<T>) {
  const { data, error, reload } = from;
  if (data !== undefined) return <>{children(data)}</>;
  if (isOptional && error?.isHidden !== false) return null;
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  return <Waiting />;
}

export function Waiting() {
  return (
    <p class="muted" aria-busy="true">
      Loading…
    </p>
  );
}
