import type { RunCase } from '@agent-criteria/results';

/** Returns the number of turns that took place or were expected, whichever is larger. */
export function countTurns({ inferences, evalCase }: RunCase, repeat: number): number {
  const own = inferences.find(({ key }) => key.repeat === repeat);
  return Math.max(own?.inference.invocations.length ?? 0, evalCase.conversation?.length ?? 0);
}
