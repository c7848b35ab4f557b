import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** An agent, and some of its eval sets. */
export interface ShownPlace {
  readonly app: string;
  readonly sets: readonly string[];
}

/** Where the run or the runs on the page belong, which their address does not say. The side bar marks it. */
export const shownPlace = signal<ShownPlace | null>(null);

/** Marks a place in the side bar for as long as the component is shown. */
export function useShownPlace(app: string | null, sets: readonly string[]): void {
  const key = JSON.stringify([app, sets]);
  useEffect(() => {
    if (app === null) return;
    const mine = { app, sets };
    shownPlace.value = mine;
    return () => {
      if (shownPlace.value === mine) shownPlace.value = null;
    };
  }, [key]);
}
