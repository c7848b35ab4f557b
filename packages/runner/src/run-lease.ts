import { type Duration, toMilliseconds } from '@agent-criteria/calls';
import { eventSink } from './engine/events.ts';
import type { KeptRun } from './run-folder/keep-run.ts';
import type { LeaseOptions } from './run-folder/lease.ts';
import type { RunSettings } from './settings.ts';

interface LeasedRun extends Pick<RunSettings, 'signal' | 'onEvent'> {
  readonly lease?: Duration | undefined;
}

/** How a run takes the lease of its folder. */
export function leaseOptions({ lease, signal, onEvent }: LeasedRun, folder: string): LeaseOptions {
  const sink = eventSink(onEvent);
  return {
    lease: lease === undefined ? undefined : toMilliseconds(lease),
    signal,
    onWait: ({ holder, atMost }) => sink({ type: 'folder-awaited', folder, holder, atMost }),
  };
}

/** The same settings, for a run that ends when another process has taken its folder over: what it would still pay is lost. */
export function withLoss<Settings extends RunSettings>(settings: Settings, { lost }: Pick<KeptRun, 'lost'>): Settings {
  const signal = settings.signal === undefined ? lost : AbortSignal.any([settings.signal, lost]);
  return { ...settings, signal };
}
