import { useEffect, useRef, useState } from 'preact/hooks';
import { address, setParams } from '../../state/address.js';

const typingPauseMs = 400;
/** A longer source does not fit into an address that can be shared. */
const mostInAddress = 8_000;

/** The text of the editor, which is part of the address; until somebody writes, an example. */
export function useSource(example: string): readonly [string, (text: string) => void] {
  const shared = address.value.params['source'];
  const [typed, setTyped] = useState<string>();
  const written = useRef<string | undefined>(undefined);
  useEffect(() => {
    // Somebody followed a link to another query.
    if (shared !== written.current) setTyped(undefined);
  }, [shared]);
  useEffect(() => {
    if (typed === undefined || typed === shared) return;
    const timer = setTimeout(() => {
      written.current = typed.length > mostInAddress ? undefined : typed;
      setParams({ source: written.current });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, shared]);
  return [typed ?? shared ?? example, setTyped];
}
