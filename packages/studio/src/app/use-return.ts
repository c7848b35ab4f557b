import { useEffect, useRef } from 'preact/hooks';
import { returns } from './connection.ts';

/** Calls a function whenever the studio has come back. */
export function useReturn(run: () => void): void {
  const seen = useRef(returns.value);
  useEffect(() => {
    if (seen.current === returns.value) return;
    seen.current = returns.value;
    run();
  }, [returns.value]);
}
