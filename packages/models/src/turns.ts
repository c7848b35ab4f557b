import { setImmediate } from 'node:timers';

const waiting: (() => void)[] = [];

/**
 * Resolves once the event loop has come round, for one caller a round. Where answers come in quicker than they can be
 * worked on, the calls that wait for their places are sent first, and the answers are worked on while those are under way.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(takeOne);
  });
}

function takeOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(takeOne);
}
