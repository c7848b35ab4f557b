import { effect, signal } from '@preact/signals';
import { store, stored } from './store.ts';

/** The baseline run of each app, stored in this browser only; `baseline set` stores it for everyone. */
export const pinned = signal<Readonly<Record<string, string>>>(read());
effect(() => store('pinned', JSON.stringify(pinned.value)));

export function pinOf(app: string | null): string | null {
  return app !== null && Object.hasOwn(pinned.value, app) ? (pinned.value[app] ?? null) : null;
}

/** @param run `null` unpins the app's run. */
export function pin(app: string, run: string | null): void {
  const { [app]: _, ...others } = pinned.value;
  pinned.value = run === null ? others : { ...others, [app]: run };
}

function read(): Readonly<Record<string, string>> {
  try {
    const kept: unknown = JSON.parse(stored('pinned') ?? '{}');
    const entries = Object.entries(kept ?? {}).filter(([, run]) => typeof run === 'string');
    return Object.fromEntries(entries);
  } catch {
    return {};
  }
}
