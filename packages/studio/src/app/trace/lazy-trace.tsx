import { lazy } from '../lazy.tsx';

/** The trace view, which is needed only once a conversation is opened. */
export const LazyTrace = lazy(async () => (await import('./trace-view.tsx')).TraceView, <p class="note">Loading…</p>);
