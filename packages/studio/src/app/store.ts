import { effect, signal } from '@preact/signals';
import type { LastRun, SetSummary, StudioInfo } from '../api.ts';
import { ask, messageOf, path } from './api-client.ts';

export type Theme = 'auto' | 'light' | 'dark';

/** Something that comes from the server. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problem: string }
  | { readonly state: 'there'; readonly value: Value };

export const LOADING = { state: 'loading' } as const;

export const info = signal<Loaded<StudioInfo>>(LOADING);
/** By the name of the app. */
export const sets = signal<ReadonlyMap<string, Loaded<readonly SetSummary[]>>>(new Map());
/** What eval sets came to when they ran last; `null`: not known yet. */
export const lastRuns = signal<readonly LastRun[] | null>(null);
export const theme = signal<Theme>(
  stored('theme') === 'light' ? 'light' : stored('theme') === 'dark' ? 'dark' : 'auto',
);
/** Whether single keys are heard. */
export const keysOn = signal(stored('keys') !== 'off');
/** Whether something lies over the page, which then hears no single keys. */
export const covered = signal(0);

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  store('theme', theme.value);
});
effect(() => store('keys', keysOn.value ? 'on' : 'off'));

export async function loadInfo(): Promise<void> {
  info.value = await loaded(() => ask<StudioInfo>('GET', '/studio'));
  void loadLastRuns();
  if (info.value.state === 'there') await Promise.all(info.value.value.apps.map(({ name }) => loadSets(name)));
}

export async function loadSets(app: string): Promise<void> {
  const answer = await loaded(() => ask<readonly SetSummary[]>('GET', path('apps', app, 'sets')));
  sets.value = new Map([...sets.value, [app, answer]]);
}

/** Without them, there are no marks. */
export async function loadLastRuns(): Promise<void> {
  const answer = await loaded(() => ask<readonly LastRun[]>('GET', '/last-runs'));
  if (answer.state === 'there') lastRuns.value = answer.value;
}

export async function loaded<Value>(load: () => Promise<Value>): Promise<Loaded<Value>> {
  try {
    return { state: 'there', value: await load() };
  } catch (error) {
    return { state: 'failed', problem: messageOf(error) };
  }
}

/** What this browser remembers of how somebody works; never what an agent said. */
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
    // A browser that keeps nothing works as well.
  }
}
