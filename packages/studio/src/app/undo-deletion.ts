import type { Deleted, Restored } from '../api.ts';
import { ask, path } from './api-client.ts';
import { loadSets } from './store.ts';
import { complain, notify } from './toasts.tsx';

/** Says what was deleted, with the way back. @param then What is shown once it is there again. */
export function notifyDeleted(what: string, { undo }: Deleted, then: (restored: Restored) => void): void {
  const restore = async () => {
    const restored = await ask<Restored>('POST', path('deletions', undo, 'undo'));
    await loadSets(restored.app);
    then(restored);
    notify(`${what} is back.`);
  };
  notify(`Deleted ${what}.`, { name: 'Undo', run: () => void restore().catch(complain) });
}
