import type { State } from '@agent-criteria/core';

/** Computes the changes from one state to another. @throws Error for removed keys, because agents can only change them. */
export function stateDelta(before: State, wanted: State): State {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(wanted, key));
  if (gone.length > 0) {
    throw new Error(`Keys cannot be removed, only changed. Set to null, or put back: ${gone.join(', ')}.`);
  }
  const same = (key: string) => JSON.stringify(before[key]) === JSON.stringify(wanted[key]);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !same(key)));
}
