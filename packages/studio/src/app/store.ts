import { keepAnswers, type Theme } from '@agent-criteria/viewer/views';
import { effect, signal } from '@preact/signals';
import type { LastRun, SetSummary, StudioInfo } from '../api.ts';
import { ask, messageOf } from './api-client.ts';

/** An answer from the server that may still be loading or may have failed. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'there'; readonly value: Value };

export const LOADING = { state: 'loading' } as const;

export const info = signal<Loaded<StudioInfo>>(LOADING);
/** The eval sets of each app, by app name. */
export const sets = signal<ReadonlyMap<string, Loaded<readonly SetSummary[]>>>(new Map());
/** Result of the last run of each eval set, or `null` until they are loaded. */
export const lastRuns = signal<readonly LastRun[] | null>(null);
export const theme = signal<Theme>(
  stored('theme') === 'light' ? 'light' : stored('theme') === 'dark' ? 'dark' : 'auto',
);
/** Whether single-key shortcuts are enabled. */
export const keysOn = signal(stored('keys') !== 'off');
/** Whether the side bar is shown, where there is room for it. */
export const sidebarShown = signal(stored('sidebar') !== 'off');
/** Number of open dialogs; any open dialog disables single-key shortcuts. */
export const covered = signal(0);

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  store('theme', theme.value);
});
effect(() => store('keys', keysOn.value ? 'on' : 'off'));
keepAnswers(stored('answers') === 'raw', (raw) => store('answers', raw ? 'raw' : 'rendered'));
effect(() => store('sidebar', sidebarShown.value ? 'on' : 'off'));

export async function loadInfo(): Promise<void> {
  const answer = await loaded(() => ask('GET /studio', {}));
  // What was loaded before stays while the studio is restarted.
  if (answer.state === 'there' || info.value.state !== 'there') info.value = answer;
  void loadLastRuns();
  if (info.value.state === 'there') await Promise.all(info.value.value.apps.map(({ name }) => loadSets(name)));
}

export async function loadSets(app: string): Promise<void> {
  const answer = await loaded(() => ask('GET /apps/:app/sets', { app }));
  sets.value = new Map([...sets.value, [app, answer]]);
}

export async function loadLastRuns(): Promise<void> {
  const answer = await loaded(() => ask('GET /last-runs', {}));
  if (answer.state === 'there') lastRuns.value = answer.value;
}

/** Returns the eval sets of an app, or `undefined` until they are loaded. */
export function setsOf(app: string): readonly SetSummary[] | undefined {
  const listed = sets.value.get(app);
  return listed?.state === 'there' ? listed.value : undefined;
}

export async function loaded<Value>(load: () => Promise<Value>): Promise<Loaded<Value>> {
  try {
    return { state: 'there', value: await load() };
  } catch (error) {
    return { state: 'failed', problem: messageOf(error) };
  }
}

/** Reads a preference from this browser. Nothing that an agent said is ever stored. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`agent-criteria.${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`agent-criteria.${name}`, value);
  } catch {
    // Preferences are optional, so failing to store one is ignored.
  }
}
