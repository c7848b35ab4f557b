import { untilAborted } from '@agent-criteria/calls';

/** Waits; rejects with the reason of the first signal that aborts. */
export function sleep(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return signals.reduce((until, signal) => untilAborted(() => until, signal), slept).finally(() => clearTimeout(timer));
}
