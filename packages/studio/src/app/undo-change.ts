import type { Deleted, Restored } from '../api.ts';
import { ask, path } from './api-client.ts';
import { loadSets } from './store.ts';
import { complain, notify } from './toasts.tsx';

/** Says what was deleted, with the way back. @param then What is shown once it is there again. */
export function notifyDeleted(what: string, { undo }: Deleted, then: (restored: Restored) => void): void {
  const restore = async () => {
    const restored = await bringBack(undo);
    await loadSets(restored.app);
    then(restored);
    notify(`${what} is back.`);
  };
  notify(`Deleted ${what}.`, { name: 'Undo', run: () => void restore().catch(complain) });
}

/** Says what was saved over what was there, with the way back. @param then What is done once it is as it was before. */
export function notifySaved(text: string, { undo }: Deleted, then: () => void): void {
  notify(text, { name: 'Undo', run: () => void bringBack(undo).then(then).catch(complain) });
}

function bringBack(undo: string): Promise<Restored> {
  return ask<Restored>('POST', path('deletions', undo, 'undo'));
}
