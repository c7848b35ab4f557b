import { signal } from '@preact/signals';

/** Whether the studio answers: `lost` while it does not, and `refused` while it does not let this browser in. */
export const connection = signal<'there' | 'lost' | 'refused'>('there');
/** How often the studio has come back. Views repeat then what has failed. */
export const returns = signal(0);

/** Milliseconds between two attempts, at first and at most. */
const FIRST = 500;
const LONGEST = 5000;

let retry: (() => void) | null = null;

/** Reports that a request has not reached the studio, which is asked again and again from then on. */
export function connectionLost(): void {
  if (connection.value !== 'there') return;
  connection.value = 'lost';
  void reconnect();
}

/** Asks at once in a tab that becomes visible again, in which timers may have slept. */
export function watchConnection(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    if (retry !== null) retry();
    else void status().then((found) => found !== 'there' && connectionLost());
  });
}

async function reconnect(): Promise<void> {
  for (let wait = FIRST; connection.value !== 'there'; wait = Math.min(wait * 1.5, LONGEST)) {
    await new Promise<void>((settle) => {
      retry = settle;
      setTimeout(settle, wait);
    });
    connection.value = await status();
  }
  retry = null;
  returns.value += 1;
}

async function status(): Promise<typeof connection.value> {
  try {
    const { ok, status: code } = await fetch('/health');
    return ok ? 'there' : code === 401 || code === 403 ? 'refused' : 'lost';
  } catch {
    return 'lost';
  }
}
