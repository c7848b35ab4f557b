import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
  readonly action?: { readonly name: string; run(): void } | undefined;
}

const SHOWN = 8000;
const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says what was done, with a way back where there is one. What failed stays until it is closed. */
export function notify(text: string, action?: Toast['action']): void {
  const id = add({ text, bad: false, action });
  setTimeout(() => close(id), SHOWN);
}

export function complain(error: unknown): void {
  add({ text: error instanceof Error ? error.message : String(error), bad: true });
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      <ul>
        {toasts.value.map(({ id, text, bad, action }) => (
          <li key={id} class={bad ? 'bad' : ''}>
            <span dir="auto">{text}</span>
            {action !== undefined && (
              <button
                type="button"
                onClick={() => {
                  close(id);
                  action.run();
                }}
              >
                {action.name}
              </button>
            )}
            <button type="button" class="quiet" aria-label="Close this message" onClick={() => close(id)}>
              ×
            </button>
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
