import { useEffect, useState } from 'preact/hooks';

/** A list has room for a case beside it; the style says the same. */
export const ROOM_BESIDE = '(min-width: 1180px)';

/** Whether the screen is as a media query has it. */
export function useMedia(query: string): boolean {
  const [fits, setFits] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setFits(list.matches);
    follow();
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return fits;
}
