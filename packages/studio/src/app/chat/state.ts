import type { State } from '@agent-criteria/core';
import { isObject } from '@agent-criteria/formats';

/**
 * Computes the changes from one state to another. @throws Error if a key was removed, because agents can only change
 * keys.
 */
export function stateDelta(before: State, wanted: State): State {
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(wanted, key));
  if (gone.length > 0) {
    throw new Error(`Keys cannot be removed, only changed. Set to null, or put back: ${gone.join(', ')}.`);
  }
  const same = (key: string) => JSON.stringify(before[key]) === JSON.stringify(wanted[key]);
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !same(key)));
}

export type ParsedState =
  | { readonly state: State; readonly problem?: undefined }
  | { readonly state: null; readonly problem: string };

/** Parses a state; empty text means an empty state. */
export function parseState(text: string): ParsedState {
  if (text.trim() === '') return { state: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { state: value as State } : { state: null, problem: 'Write an object: { … }.' };
  } catch (error) {
    return { state: null, problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
