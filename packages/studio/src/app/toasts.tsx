import { signal } from '@preact/signals';
import type { Deleted, Restored } from '../api.ts';
import { ask, messageOf } from './api-client.ts';
import { Button } from './button.tsx';
import { loadSets } from './store.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
  readonly action?: { readonly name: string; run(): void } | undefined;
}

const SHOWN = 8000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Reports a success, optionally with an action. It disappears by itself, whereas errors stay until they are closed. */
export function notify(text: string, action?: Toast['action']): void {
  const id = add({ text, bad: false, action });
  setTimeout(() => close(id), SHOWN);
}

/** Reports an error. One that is shown already is not shown twice, however many requests it fails. */
export function complain(error: unknown): void {
  const text = messageOf(error);
  if (!toasts.value.some((toast) => toast.bad && toast.text === text)) add({ text, bad: true });
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      <ul>
        {toasts.value.map(({ id, text, bad, action }) => (
          <li key={id} class={bad ? 'bad' : ''}>
            <span dir="auto">{text}</span>
            {action !== undefined && (
              <Button
                text={action.name}
                onClick={() => {
                  close(id);
                  action.run();
                }}
              />
            )}
            <Button text="×" class="quiet" aria-label="Close this message" onClick={() => close(id)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function add(toast: Omit<Toast, 'id'>): number {
  last += 1;
  toasts.value = [...toasts.value.slice(-3), { id: last, ...toast }];
  return last;
}

function close(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Reports a deletion and offers to undo it. @param then Called once the item is restored. */
export function notifyDeleted(what: string, { undo }: Deleted, then: (restored: Restored) => void): void {
  const restore = async () => {
    const restored = await bringBack(undo);
    await loadSets(restored.app);
    then(restored);
    notify(`${what} is back.`);
  };
  notify(`Deleted ${what}.`, { name: 'Undo', run: () => void restore().catch(complain) });
}

/** Reports an overwrite and offers to undo it. @param then Called once the previous content is restored. */
export function notifySaved(text: string, { undo }: Deleted, then: () => void): void {
  notify(text, { name: 'Undo', run: () => void bringBack(undo).then(then).catch(complain) });
}

function bringBack(undo: string): Promise<Restored> {
  return ask('POST /deletions/:deletion/undo', { deletion: undo });
}
