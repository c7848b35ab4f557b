import { useEffect, useState } from 'preact/hooks';

/** Delay in milliseconds, so that what is read at once does not flicker. */
const DELAY = 120;

/** Grey lines in place of a list that is still being read. */
export function Skeleton({ of, lines = 3 }: { readonly of: string; readonly lines?: number }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Reading {of}…</span>
      {isDue && Array.from({ length: lines }, (_, place) => <i key={place} aria-hidden="true" />)}
    </div>
  );
}
