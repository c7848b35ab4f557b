import type { Deleted, Restored } from '../api.ts';
import { ask } from './api-client.ts';
import { loadSets } from './store.ts';
import { complain, notify } from './toasts.tsx';

/** Reports a deletion and offers to undo it. @param then Called after it was restored. */
export function notifyDeleted(what: string, { undo }: Deleted, then: (restored: Restored) => void): void {
  const restore = async () => {
    const restored = await bringBack(undo);
    await loadSets(restored.app);
    then(restored);
    notify(`${what} is back.`);
  };
  notify(`Deleted ${what}.`, { name: 'Undo', run: () => void restore().catch(complain) });
}

/** Reports an overwrite and offers to undo it. @param then Called after the previous content was restored. */
export function notifySaved(text: string, { undo }: Deleted, then: () => void): void {
  notify(text, { name: 'Undo', run: () => void bringBack(undo).then(then).catch(complain) });
}

function bringBack(undo: string): Promise<Restored> {
  return ask('POST /deletions/:deletion/undo', { deletion: undo });
}
