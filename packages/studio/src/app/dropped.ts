import { signal } from '@preact/signals';

/** Files that were dropped on the page, until the view that imports them takes them. */
export const dropped = signal<readonly File[]>([]);
